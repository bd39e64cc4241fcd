/** Expressions that run in the page, as text, because these tests have no DOM types. */

/** The list of steps as in the document. */
export const stepsScript: string = `(() => {
  const texts = (list) => [...list].map((e) => e.textContent);
  const items = (li, side) => [...li.querySelectorAll(side + ' > ul > li')].map((item) => [
    item.querySelector('.label').textContent, ...texts(item.querySelectorAll('.notes > li')),
  ]);
  return [...document.querySelectorAll('main ol.steps > li')].map((li) => ({
    heading: li.querySelector('h3').textContent,
    badge: li.querySelector('.badge').textContent,
    notes: texts(li.querySelectorAll('.step-body > .notes > li, .fold > .notes > li')),
    chosen: items(li, '.chosen'),
    leftOut: items(li, '.left-out'),
  }));
})()`;

/** The links of the map: their targets and labels. */
export const mapScript: string = `[...document.querySelectorAll('nav a')].map((a) => ({
  href: a.getAttribute('href'),
  label: a.getAttribute('aria-label'),
}))`;

/** The terms and descriptions of the root cause, in the order of the document. */
export const causeScript: string = `[...document.querySelectorAll('.cause dd')].map((dd) => dd.textContent)`;

export const remediesScript: string = `[...document.querySelectorAll('.remedies li')].map((li) => li.firstChild.data.trimEnd())`;

/** Broken links within the page, duplicate ids, and anything that could run or load code. */
export const suspiciousContent: string = `[
  ...[...document.querySelectorAll('a')].filter((a) => !document.getElementById(a.getAttribute('href').slice(1))).map((a) => 'link ' + a.getAttribute('href')),
  ...[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, ids) => ids.indexOf(id) !== i).map((id) => 'twice ' + id),
  ...[...document.querySelectorAll('script, img, iframe, object, embed, form, base, [style]')].map((e) => 'element ' + e.tagName),
  ...[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes].filter((a) => a.name.startsWith('on')).map((a) => 'handler ' + a.name)),
]`;

/** The focused element, and whether an outline (in the map, a frame) makes the focus visible. */
export const focusedElement: string = `(() => {
  const e = document.activeElement;
  if (e === null || e === document.body) return { what: 'body', seen: true };
  const box = e.getBoundingClientRect();
  const hit = e.querySelector(':scope > .hit');
  const outline = getComputedStyle(e);
  const seen = hit
    ? parseFloat(getComputedStyle(hit).strokeWidth) >= 3 && getComputedStyle(hit).stroke !== 'rgba(0, 0, 0, 0)'
    : outline.outlineStyle !== 'none' && parseFloat(outline.outlineWidth) >= 2;
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return { what: e.tagName.toLowerCase() + ' ' + (e.getAttribute('href') ?? (e.id === '' ? e.textContent : '#' + e.id)), seen: seen && inside };
})()`;

/** All tab stops in document order. */
export const tabStops: string = `[...document.querySelectorAll('a[href], summary, button, input, [tabindex="0"]')]
  .filter((e) => e.checkVisibility({ contentVisibilityAuto: true }))
  .map((e) => e.tagName.toLowerCase() + ' ' + (e.getAttribute('href') ?? (e.id === '' ? e.textContent : '#' + e.id)))`;

/** Texts with a contrast below 4.5 and graphics with a contrast below 3. */
export const contrastReport: string = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const backgroundOf = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      const [, , , alpha = 1] = channels(backgroundColor);
      if (alpha === 1) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const withText = [...document.querySelectorAll('body *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== ''));
  const texts = withText.map((e) => ({ e, minimum: 4.5, colour: e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color }));
  const icons = [...document.querySelectorAll('.sign')].map((e) => {
    const { fill, stroke } = getComputedStyle(e);
    return { e, minimum: 3, colour: stroke === 'none' ? fill : stroke };
  });
  const all = [...texts, ...icons].map(({ e, minimum, colour }) => ({ e, minimum, colour, background: backgroundOf(e) }));
  return {
    count: all.length,
    pale: all.filter(({ minimum, colour, background }) => ratio(colour, background) < minimum)
      .map(({ e, colour, background }) => e.tagName + '.' + (e.getAttribute('class') ?? '') + ' ' + colour + ' on ' + background + ': ' + ratio(colour, background).toFixed(2)),
  };
})()`;

/** Texts that exceed the frame of a picture. */
export const overflowingTexts: string = `[...document.querySelectorAll('svg text')].filter((text) => {
  const { x, y, width, height } = text.getBBox();
  const frame = text.ownerSVGElement.viewBox.baseVal;
  return x < 0 || y < 0 || x + width > frame.width || y + height > frame.height;
}).map((text) => text.textContent)`;
