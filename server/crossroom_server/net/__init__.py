"""Guards of the network: admission, rate limits, proxies and the transport."""
