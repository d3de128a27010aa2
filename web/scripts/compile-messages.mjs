// messages/*.json -> src/paraglide
import { compile } from "@inlang/paraglide-js";
import { options } from "./messages-options.mjs";

await compile(options);
