/**
 * What is asked of a page, as the text of an expression: these tests know no types of a browser.
 */

/** The list of steps, as a reader of the document finds it. */
export const stepsShown: string = `(() => {
  const texts = (list) => [...list].map((e) => e.textContent);
  const items = (li, side) => [...li.querySelectorAll(side + ' > ul > li')].map((item) => [
    item.querySelector('.label').textContent, ...texts(item.querySelectorAll('.notes > li')),
  ]);
  return [...document.querySelectorAll('main ol.way > li')].map((li) => ({
    heading: li.querySelector('h3').textContent,
    badge: li.querySelector('.badge').textContent,
    notes: texts(li.querySelectorAll('.board > .notes > li')),
    chosen: items(li, '.chosen'),
    leftOut: items(li, '.left-out'),
  }));
})()`;

/** The stations of the map: where their links lead, and what they are called but for how many go on there. */
export const mapShown: string = `[...document.querySelectorAll('nav a')].map((a) => ({
  href: a.getAttribute('href'),
  label: (a.getAttribute('aria-label') ?? '').replace(/\\. (\\d+ selected)?(, )?(\\d+ left out)?$/, ''),
}))`;

export const remediesShown: string = `[...document.querySelectorAll('.remedies li')].map((li) => li.firstChild.data.trimEnd())`;

/** Links within the page that lead nowhere, ids that are there twice, and anything that could run or load something. */
export const suspects: string = `[
  ...[...document.querySelectorAll('a')].filter((a) => !document.getElementById(a.getAttribute('href').slice(1))).map((a) => 'link ' + a.getAttribute('href')),
  ...[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, ids) => ids.indexOf(id) !== i).map((id) => 'twice ' + id),
  ...[...document.querySelectorAll('script, img, iframe, object, embed, form, base, [style]')].map((e) => 'element ' + e.tagName),
  ...[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes].filter((a) => a.name.startsWith('on')).map((a) => 'handler ' + a.name)),
]`;

/** What has the focus, and whether that can be seen: an outline, or the frame that the map draws. */
export const focused: string = `(() => {
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

/** Everything that Tab should come to, in the order of the document. */
export const stops: string = `[...document.querySelectorAll('a[href], summary')]
  .filter((e) => e.checkVisibility({ contentVisibilityAuto: true }))
  .map((e) => e.tagName.toLowerCase() + ' ' + (e.getAttribute('href') ?? e.textContent))`;

/** Texts with less contrast to what is behind them than 4.5, and signs with less than 3. */
export const pale: string = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      const [, , , alpha = 1] = channels(backgroundColor);
      if (alpha === 1) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const told = [...document.querySelectorAll('body *')].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== ''));
  const texts = told.map((e) => ({ e, least: 4.5, colour: e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color }));
  const signs = [...document.querySelectorAll('.sign')].map((e) => {
    const { fill, stroke } = getComputedStyle(e);
    return { e, least: 3, colour: stroke === 'none' ? fill : stroke };
  });
  const all = [...texts, ...signs].map(({ e, least, colour }) => ({ e, least, colour, behind: ground(e) }));
  return {
    looked: all.length,
    pale: all.filter(({ least, colour, behind }) => ratio(colour, behind) < least)
      .map(({ e, colour, behind }) => e.tagName + '.' + (e.getAttribute('class') ?? '') + ' ' + colour + ' on ' + behind + ': ' + ratio(colour, behind).toFixed(2)),
  };
})()`;

/** Texts of a picture that reach beyond its frame. */
export const beyond: string = `[...document.querySelectorAll('svg text')].filter((text) => {
  const { x, y, width, height } = text.getBBox();
  const frame = text.ownerSVGElement.viewBox.baseVal;
  return x < 0 || y < 0 || x + width > frame.width || y + height > frame.height;
}).map((text) => text.textContent)`;
