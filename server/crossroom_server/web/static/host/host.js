// The host's page: sends commands of the console over a socket, and shows what they answer.

import { button, el, find, setText } from "../core/dom.js";

const words = document.body.dataset;
const token = location.hash.slice(1);
const POLL_MS = 5_000;
const RETRY_MS = 3_000;
const LINK_ENDED = 1008; // the close code of the server
const INDENT = "  "; // of lines about people, below that of their room

/** Whoever waits for an answer: the server answers in order. */
let waiting = [];
let socket = null;

function connect() {
  const address = new URL("host", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = "";
  socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    socket.send(token);
    setText(find("#state"), "");
    refresh();
  });
  socket.addEventListener("message", (event) => waiting.shift()?.(JSON.parse(event.data)));
  socket.addEventListener("close", (event) => {
    waiting = [];
    const ended = event.code === LINK_ENDED;
    setText(find("#state"), ended ? words.ended : words.lost);
    if (!ended) setTimeout(connect, RETRY_MS);
  });
}

/** Sends a command; resolves to the lines that it answers, or to null if it is refused. */
async function ask(line) {
  if (socket.readyState !== WebSocket.OPEN) return null;
  const answer = await new Promise((resolve) => {
    waiting.push(resolve);
    socket.send(line);
  });
  setText(find("#state"), answer.refused ?? "");
  return answer.told ?? null;
}

async function order(line) {
  const told = await ask(line);
  if (told) setText(find("#told"), told.join("\n"));
  await refresh(true);
}

/** Shows what there is now; of a list that has the focus only if that *isWanted*. */
async function refresh(isWanted = false) {
  if (document.hidden || socket.readyState !== WebSocket.OPEN) return;
  const commands = ["status", "rooms", "bans", "invitations"];
  const [status, rooms, bans, invitations] = await Promise.all(commands.map(ask));
  if (status) find("#status").replaceChildren(...status.map((line) => el("li", line)));
  if (rooms) showRooms(rooms, isWanted);
  if (bans) showBans(bans, isWanted);
  if (invitations) showInvitations(invitations, isWanted);
}

function showRooms(lines, isWanted) {
  const shown = [];
  for (const line of lines) {
    if (line.startsWith(INDENT)) {
      find("button", shown.at(-1)).before(el("p", line.trim()));
      continue;
    }
    const name = /^([a-z0-9-]+): /.exec(line)?.[1];
    shown.push(el("article", name ? el("h3", line) : line));
    if (!name) continue;
    const close = () => confirm(words.sure) && order(`close ${name}`);
    shown.at(-1).append(button(words.look, () => order(`look ${name}`)), button(words.close, close));
  }
  replace(find("#rooms"), shown, isWanted);
}

function showBans(lines, isWanted) {
  const networks = lines.filter((line) => /^[0-9a-f.:]+\/\d+$/.test(line));
  const shown = networks.map((network) =>
    el("li", `${network} `, button(words.unban, () => order(`unban ${network}`))),
  );
  replace(find("#bans"), shown.length ? shown : [el("li", words.none)], isWanted);
}

function showInvitations(lines, isWanted) {
  const shown = lines.map((line) => {
    const number = /^(\d+): /.exec(line)?.[1];
    return el("li", `${line} `, number && button(words.end, () => order(`uninvite ${number}`)));
  });
  replace(find("#invitations"), shown, isWanted);
}

/** Replaces a list; one in which somebody is about to press a button only if that *isWanted*. */
function replace(list, children, isWanted) {
  const isFocused = list.contains(document.activeElement);
  if (isFocused && !isWanted) return;
  list.replaceChildren(...children);
  if (isFocused) list.focus();
}

function orderFrom(selector, command) {
  const field = find(`${selector} input`);
  find(selector).addEventListener("submit", (event) => {
    event.preventDefault();
    order(`${command}${field.value}`);
    field.value = "";
  });
}

orderFrom("#ban", "ban ");
orderFrom("#announce", "announce ");
orderFrom("#invite", words.invite);
orderFrom("#command", "");
find("#drain").addEventListener("click", () => confirm(words.drainSure) && order("drain"));
find("#undrain").addEventListener("click", () => order(words.undrain));
setInterval(() => refresh(), POLL_MS);
connect();
