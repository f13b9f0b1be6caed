// Applies the colour theme before anything is drawn; every page loads this first.

import { applyTheme } from "./theme.js";

applyTheme();
