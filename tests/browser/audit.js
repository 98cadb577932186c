// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the page as it stands, as a list of lines.
(function () {
  "use strict";
  var problems = [];

  function all(selector) {
    return Array.from(document.querySelectorAll(selector));
  }

  function isSeen(node) {
    return node.getClientRects().length > 0 &&
      getComputedStyle(node).visibility !== "hidden" &&
      !node.closest(".hide, .skip, .stamp");
  }

  function name(node) {
    return node.nodeName.toLowerCase() + (node.id ? "#" + node.id : "") +
      " '" + (node.textContent || "").trim().slice(0, 40) + "'";
  }

  // Colours, as red, green, blue and alpha from 0 to 1.
  function colour(text) {
    var n = (text.match(/[\d.]+/g) || []).map(Number);

    return n.length < 3 ? [0, 0, 0, 0]
      : [n[0] / 255, n[1] / 255, n[2] / 255, n.length > 3 ? n[3] : 1];
  }

  function over(top, below) {
    return [0, 1, 2].map(function (i) {
      return top[i] * top[3] + below[i] * (1 - top[3]);
    }).concat(1);
  }

  function ground(node) {
    var layers = [];
    var result = [1, 1, 1, 1];

    for (; node instanceof Element; node = node.parentNode)
      layers.unshift(colour(getComputedStyle(node).backgroundColor));
    layers.forEach(function (layer) { result = over(layer, result); });
    return result;
  }

  function luminance(c) {
    var f = c.slice(0, 3).map(function (v) {
      return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });

    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2];
  }

  function contrast(a, b) {
    var x = luminance(a), y = luminance(b);

    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  }

  function hasText(node) {
    return Array.from(node.childNodes).some(function (child) {
      return child.nodeType === 3 && child.nodeValue.trim() !== "";
    });
  }

  // WCAG 2.2, 1.4.3: 4.5 to 1, large text 3 to 1.
  function checkText(node) {
    var style = getComputedStyle(node);
    var inside = node instanceof SVGElement;
    var ink = colour(inside ? style.fill : style.color);
    var below = ground(node);
    var size = parseFloat(style.fontSize);
    var large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    var got = contrast(over(ink, below), below);

    if (got < (large ? 3 : 4.5))
      problems.push("contrast " + got.toFixed(2) + ": " + name(node));
  }

  // WCAG 2.2, 1.4.11: 3 to 1 for what carries meaning.
  function checkPaint(node) {
    var style = getComputedStyle(node);
    var got = contrast(colour(node instanceof SVGElement ? style.fill
      : style.backgroundColor), ground(node.parentNode));

    if (got < 3)
      problems.push("contrast " + got.toFixed(2) + " of " + node.className);
  }

  function apart(a, b) {
    return a.right <= b.left + 1 || b.right <= a.left + 1 ||
      a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
  }

  function checkLabels(svg) {
    var texts = Array.from(svg.querySelectorAll("text")).filter(isSeen);
    var boxes = texts.map(function (t) { return t.getBoundingClientRect(); });
    var frame = svg.closest(".card").getBoundingClientRect();

    boxes.forEach(function (a, i) {
      if (!svg.closest(".pan") &&
          (a.left < frame.left - 1 || a.right > frame.right + 1))
        problems.push("label outside: " + name(texts[i]));
      boxes.slice(0, i).forEach(function (b, k) {
        if (!apart(a, b))
          problems.push("labels overlap: " + name(texts[i]) + " and " +
            name(texts[k]));
      });
    });
  }

  function checkIds() {
    var seen = {};

    all("[id]").forEach(function (node) {
      if (seen[node.id])
        problems.push("id twice: " + node.id);
      seen[node.id] = true;
    });
    all("[aria-labelledby]").forEach(function (node) {
      node.getAttribute("aria-labelledby").split(" ").forEach(function (id) {
        if (!seen[id])
          problems.push("no such id: " + id);
      });
    });
  }

  function checkWidth() {
    var width = document.documentElement.clientWidth;

    if (document.documentElement.scrollWidth > width)
      problems.push("page is " + document.documentElement.scrollWidth +
        " wide of " + width);
    all("body *").forEach(function (node) {
      if (isSeen(node) && !node.closest(".wide, .pan, pre, svg") &&
          node.getBoundingClientRect().right > width + 1)
        problems.push("over the right edge: " + name(node));
    });
  }

  all("body *").filter(isSeen).forEach(function (node) {
    if (hasText(node) && node.nodeName !== "TITLE" && node.nodeName !== "DESC")
      checkText(node);
  });
  all(".swatch:not(.round)").filter(isSeen).forEach(checkPaint);
  all("svg.figure").forEach(checkLabels);
  checkIds();
  checkWidth();
  return problems;
})()
