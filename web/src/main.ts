import { mount } from "svelte";
import App from "./App.svelte";
import { lobby } from "./shell/lobby.svelte";
import { version } from "./offline/version.svelte";
import "./parts/base.css";
import "./theme.css";

const target = document.getElementById("page");
if (target) mount(App, { target });
addEventListener("load", () => {
  void version.keep();
  void lobby.ask();
});
