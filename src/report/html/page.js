// SPDX-License-Identifier: GPL-3.0-or-later
// Script of the page of plan3d report. Without it everything is still there:
// it switches the theme, opens the section that the contents lead to, zooms and
// names the passes of the pipeline, copies.
(function () {
  "use strict";
  var root = document.documentElement;

  var words = root.lang !== "zh-CN" ? {} : {
    Light: "浅色", Dark: "深色", Copy: "复制", Copied: "已复制",
    Selected: "已选中", waiting: "等待"
  };

  function inLanguage(word) {
    return words[word] || word;
  }

  function each(selector, run) {
    Array.prototype.forEach.call(document.querySelectorAll(selector), run);
  }

  function isDark() {
    var said = root.getAttribute("data-theme");

    return said ? said === "dark"
                : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function showTheme() {
    document.getElementById("theme").textContent =
      inLanguage(isDark() ? "Light" : "Dark");
  }

  function setUpTheme() {
    var button = document.getElementById("theme");

    button.hidden = false;
    showTheme();
    button.addEventListener("click", function () {
      root.setAttribute("data-theme", isDark() ? "light" : "dark");
      showTheme();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener(
      "change", showTheme);
  }

  // A section that is closed would lead to its heading alone.
  function setUpContents() {
    each("#contents a", function (link) {
      link.addEventListener("click", function () {
        var fold = document.querySelector(
          link.getAttribute("href") + " > .fold");

        if (fold) fold.open = true;
      });
    });
  }

  // The middle of what is seen stays in the middle.
  function setUpZoom() {
    var pan = document.querySelector(".pan");
    var zoom = 1;

    if (!pan) return;
    document.querySelector(".zoom").hidden = false;
    each("[data-zoom]", function (button) {
      button.addEventListener("click", function () {
        var middle = (pan.scrollLeft + pan.clientWidth / 2) / pan.scrollWidth;
        var factor = Number(button.getAttribute("data-zoom"));

        zoom = factor ? Math.min(64, Math.max(1, zoom * factor)) : 1;
        pan.firstElementChild.style.width = 100 * zoom + "%";
        pan.scrollLeft = middle * pan.scrollWidth - pan.clientWidth / 2;
      });
    });
  }

  // Says under the drawing what the pointer is on.
  function setUpReadout() {
    var pan = document.querySelector(".pan");
    var readout = document.querySelector(".readout");

    if (!pan) return;
    readout.hidden = false;
    pan.addEventListener("pointerover", function (event) {
      var title = event.target.querySelector &&
        event.target.querySelector("title");

      if (event.target.nodeName === "rect")
        readout.textContent = title ? title.textContent : inLanguage("waiting");
    });
  }

  // The clipboard may be closed to a file: then the text is selected.
  function select(node) {
    var range = document.createRange();

    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  function say(button, word) {
    var text = button.firstChild;

    text.nodeValue = word;
    setTimeout(function () { text.nodeValue = inLanguage("Copy"); }, 1500);
  }

  function setUpCopy() {
    each(".copy", function (button) {
      var node = document.getElementById(button.getAttribute("data-copy"));

      button.hidden = false;
      button.addEventListener("click", function () {
        if (!navigator.clipboard) {
          select(node);
          say(button, inLanguage("Selected"));
          return;
        }
        navigator.clipboard.writeText(node.textContent).then(
          function () { say(button, inLanguage("Copied")); },
          function () { select(node); say(button, inLanguage("Selected")); });
      });
    });
  }

  setUpTheme();
  setUpContents();
  setUpZoom();
  setUpReadout();
  setUpCopy();
})();
