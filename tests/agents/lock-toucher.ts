// Touches the lock at argv[2], as its holder in a place that cannot be seen from here.
import { utimesSync } from "node:fs";
import process from "node:process";

const touch = () => utimesSync(process.argv[2] ?? "", new Date(), new Date());
touch();
setInterval(touch, 20);
console.log("touching");
