// @ts-check
/** The person's consent in their own browser: lets the agent work in tabs of one group, and ends that. */

import * as sharing from "../shared/sharing.js";
import { el } from "./dom.js";

const ASKS =
  "Let the agent work in tabs that you put into the tab group “browse”, and in tabs that it opens there? It reads" +
  " them and acts in them as you could, with your logins. A tab that you take out of the group is left at once. You are" +
  " asked again when Chrome is started anew.";

/** @param {HTMLElement} place @param {import("../shared/daemon.js").Daemon} daemon */
export const mountSharing = (place, daemon) => {
  const draw = async () => {
    const { shares, tabs, problem } = await sharing.read();
    place.hidden = daemon.state !== "connected" || daemon.launched;
    const words = shares ? `The agent may use ${tabs} ${tabs === 1 ? "tab" : "tabs"} of the group “browse”.` : ASKS;
    const click = () => void sharing.change({ shares: !shares, problem: "" });
    place.replaceChildren(
      el("p", {}, words),
      ...(problem ? [el("p", { class: "problem", role: "alert" }, problem)] : []),
      el("button", { type: "button", id: "share", click }, shares ? "Stop sharing" : "Share tabs"),
    );
  };
  sharing.onChange(() => void draw());
  daemon.addEventListener("state", () => void draw());
  void draw();
};
