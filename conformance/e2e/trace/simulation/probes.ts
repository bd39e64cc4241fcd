/** Expressions that run in the page of a rollout or drain, as text, because these tests have no DOM types. */

/** Moves the slider to a time in milliseconds since the change. */
export const moveTo = (at: number): string => `(() => {
  const slider = document.getElementById('time');
  slider.value = ${at};
  slider.dispatchEvent(new Event('input', { bubbles: true }));
})()`;

/** The state that the page shows, in the form of ExpectedState, and whether it says that connections fail. */
export const stateScript: string = `(() => {
  const rowsOf = (id) => [...document.querySelectorAll('#' + id + ' tr')].map((row) => [...row.cells]);
  const addressesOf = (cell) => [...cell.querySelectorAll('li')].map((li) => li.textContent.split(/[ :]/)[0]).sort();
  const isShown = (id) => !document.getElementById(id).closest('section').hidden;
  const routes = rowsOf('proxies').flatMap(([nodes, service, endpoints]) => nodes.textContent.split(', ').map((node) => (
    { actor: 'kube-proxy/' + node, service: service.textContent, addresses: addressesOf(endpoints) }
  )));
  return {
    pods: rowsOf('pods').map(([name, ...cells]) => [name.firstChild.data, ...cells.map((cell) => cell.textContent)]),
    slices: rowsOf('endpoints').filter(([name]) => name.textContent.startsWith('EndpointSlice '))
      .map(([name, ready]) => ({ name: name.textContent, ready: addressesOf(ready) })),
    routes: routes.sort((a, b) => (a.actor + a.service < b.actor + b.service ? -1 : 1)),
    isFailing: rowsOf('requests').some(([, , share]) => share.textContent.endsWith(' fail')),
  };
})()`;

export const landmarksScript: string = `[...document.querySelectorAll('header, nav, main, section[aria-labelledby]')]
  .filter((e) => e.checkVisibility())
  .map((e) => {
    const role = { HEADER: 'banner', NAV: 'navigation', MAIN: 'main', SECTION: 'region' }[e.tagName];
    const label = e.getAttribute('aria-label') ?? document.getElementById(e.getAttribute('aria-labelledby'))?.textContent ?? '';
    return (role + ' ' + label).trim();
  })`;

export const describeSlider: string = `(() => {
  const slider = document.getElementById('time');
  return { label: slider.labels[0].textContent, hasValueText: slider.getAttribute('aria-valuetext').includes(' s') };
})()`;

/** Headings that are more than one level below the previous one. */
export const headingLevels: string = `[...document.querySelectorAll('h1, h2, h3, h4')]
  .map((h) => [Number(h.tagName[1]), h.textContent])
  .filter(([level], i, all) => level > (all[i - 1]?.[0] ?? 0) + 1)`;

export const namelessElements: string = `[...document.querySelectorAll('svg, table, button, section, [role=group]')]
  .filter((e) => !e.closest('[aria-hidden=true]'))
  .filter((e) => (e.getAttribute('aria-label') ?? document.getElementById(e.getAttribute('aria-labelledby'))?.textContent ?? (e.tagName === 'BUTTON' ? e.textContent : '')).trim() === '')
  .map((e) => e.outerHTML.slice(0, 100))`;

/** Anything that could run or load code: the page has its data and its program only. */
export const activeContent: string = `[
  ...[...document.querySelectorAll('script, img, iframe, object, embed, form, base, link:not([rel=icon])')].map((e) => e.tagName),
  ...[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes].filter((a) => a.name.startsWith('on') || a.name === 'style').map((a) => a.name)),
  ...[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, ids) => ids.indexOf(id) !== i).map((id) => 'twice ' + id),
]`;

/** Elements with animations or transitions. */
export const movingElements: string = `[...document.querySelectorAll('*')]
  .filter((e) => getComputedStyle(e).transitionDuration !== '0s' || getComputedStyle(e).animationName !== 'none')
  .map((e) => e.tagName)`;
