/* Search in a site that is opened as a file. Browsers start no workers there, so the one that searches runs in a hidden
   frame. (The theme's own stand-in would come from another host; it takes any script whose name says iframe-worker.) */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = Object.assign(document.createElement("iframe"), { hidden: true });
      this.ready = new Promise((loaded) => Object.assign(this.frame, { onload: loaded })).then(() => this.start(url));
      document.body.append(this.frame);
    }

    start(url) {
      const { contentWindow: inside, contentDocument: page } = this.frame;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      return new Promise((onload, onerror) => {
        page.body.append(Object.assign(page.createElement("script"), { src: url, onload, onerror }));
      });
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
