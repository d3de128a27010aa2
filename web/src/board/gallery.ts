/** For development only: the table fed from fixtures. See `Gallery.svelte` for what can be asked for. */

import { mount } from "svelte";
import Gallery from "./Gallery.svelte";

const target = document.getElementById("page");
if (target) mount(Gallery, { target });
