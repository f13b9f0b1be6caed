// Gives the pages that remember games the colours that were chosen at a table.

import { dress } from "./base.js";

dress();
