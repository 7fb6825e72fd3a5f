// The tables that this device has been at: a list of links, kept on the device alone.

import { been } from "./device.js";

const list = document.getElementById("tables-been");
for (const table of been()) {
  const link = document.createElement("a");
  link.href = table.address;
  const day = new Date(table.at).toLocaleString(document.documentElement.lang);
  link.textContent = [table.names, day].filter(Boolean).join(" · ");
  const row = document.createElement("li");
  row.append(link);
  list.querySelector("ul").append(row);
  list.hidden = false;
}
