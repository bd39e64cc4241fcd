import { type Markup, markup } from 'kube-endpoints/internal';
import { stateScript } from './state-script.ts';

/** Reads the embedded data: what is true at a time, and lists of addresses. */
const readingScript = markup`'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const { entries } = data;
const find = (id) => document.getElementById(id);
const stops = [...new Set([data.start, ...entries.map(([at]) => at).filter((at) => at >= 0), data.end])];
const effects = new Map();
entries.forEach(([, cause], index) => effects.set(cause, [...(effects.get(cause) ?? []), index]));
const decoded = new Map([[0, []]]);
const view = { now: data.start, selected: 0 };

function listOf(index) {
  const chain = [];
  for (let next = index; !decoded.has(next); next = data.lists[next][0]) chain.push(next);
  for (const next of chain.reverse()) {
    const [near, removed, added] = data.lists[next];
    const gone = new Set(removed);
    decoded.set(next, [...decoded.get(near).filter((each) => !gone.has(each)), ...added]);
  }
  return decoded.get(index);
}

/** The number of items, sorted by their time, that are not after now. */
function countUntilNow(items) {
  let low = 0;
  for (let high = items.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (items[middle][0] <= view.now) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values of something now; undefined if there are none yet. */
const valuesOf = ({ changes }) => changes[countUntilNow(changes) - 1]?.slice(1);
const formatTime = (at) => (at / 1000).toFixed(3) + ' s';
`;

/** Creates elements, and replaces those that changed. No text becomes markup. */
const drawingScript = markup`
function create(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const shown = new Map();

/** Shows items, each with a key and a function that creates its element. Elements with the same key stay, and keep the focus. */
function fill(id, items) {
  const before = shown.get(id) ?? new Map();
  const after = new Map(items.map(([key, make]) => [key, before.get(key) ?? make()]));
  if ([...before.keys()].join('\\n') === [...after.keys()].join('\\n') && before.size > 0) return;
  const parent = find(id);
  const focused = document.activeElement;
  const hadFocus = parent.contains(focused) && parent !== focused;
  parent.replaceChildren(...after.values());
  shown.set(id, after);
  if (hadFocus) (focused.isConnected ? focused : (parent.querySelector('[aria-current]') ?? find('causes').querySelector('button'))).focus({ preventScroll: true });
}

/** Shows rows of a table; without rows, hides the table's section. */
function fillTable(id, rows) {
  const labels = [...find(id).closest('table').querySelectorAll('th')].map((head) => head.textContent);
  find(id).closest('section').hidden = rows.length === 0;
  const toRow = (cells) => create('tr', { role: 'row' }, ...cells.map(toCell));
  const toCell = (cell, i) => {
    const { tone = '', content } = cell;
    return create('td', { role: 'cell', 'data-label': labels[i], class: tone }, ...[content].flat());
  };
  fill(id, rows.map(([key, makeCells]) => [key, () => toRow(makeCells())]));
}

const maxNames = 6;
const maxAddresses = 12;
const cell = (content, tone = '') => ({ content, tone });
const joinNames = (names) => names.slice(0, maxNames).join(', ') + (names.length > maxNames ? ' and ' + (names.length - maxNames) + ' more' : '');

/** Addresses with the names of their pods: first those that fail, with the reason. */
function drawAddresses(list, reasons = new Map()) {
  if (list.length === 0) return '–';
  const sorted = [...list].sort((a, b) => reasons.has(b) - reasons.has(a) || (data.texts[a] < data.texts[b] ? -1 : 1));
  const items = sorted.slice(0, maxAddresses).map((each) => {
    const text = [data.texts[each], data.podNames[each]].filter((part) => part !== '').join(' ');
    return reasons.has(each)
      ? create('li', { class: 'fails' }, text + ': ' + (text.startsWith('node/') ? 'no local endpoint' : reasons.get(each)))
      : create('li', {}, text);
  });
  const rest = list.length - items.length;
  return create('ul', { class: 'addresses' }, ...items, ...(rest > 0 ? [create('li', { class: 'rest' }, 'and ' + rest + ' more')] : []));
}
`;

/** Shows the changes around the chosen time, and what caused the selected one. */
const changesScript = markup`
const changesBefore = 12;
const changesAfter = 7;
const maxCauses = 60;
const maxEffects = 12;

function drawEntry(index, isCurrent) {
  const [at, , actor, text] = entries[index];
  const attributes = { type: 'button', 'data-entry': index, ...(isCurrent && { 'aria-current': 'true' }) };
  const parts = [create('span', { class: 'at' }, formatTime(at)), ' ', create('span', { class: 'actor' }, actor), ' ', create('span', { class: 'message' }, text)];
  return create('li', {}, create('button', attributes, ...parts));
}

function drawEntries(id, indices) {
  fill(id, indices.map((index) => [index + ' ' + (index === view.selected), () => drawEntry(index, index === view.selected)]));
  const current = find(id).querySelector('[aria-current]')?.parentElement;
  find(id).scrollTop = current ? current.offsetTop - 60 : 0;
}

function showChanges() {
  const from = Math.max(0, view.selected - changesBefore);
  const indices = Array.from({ length: Math.min(entries.length, view.selected + changesAfter + 1) - from }, (_, i) => from + i);
  drawEntries('changes', indices);
  const causes = [];
  for (let next = entries.length > 0 ? view.selected : -1; next >= 0 && causes.length < maxCauses; next = entries[next][1]) causes.push(next);
  drawEntries('causes', causes);
  const followers = effects.get(view.selected) ?? [];
  find('effects-part').hidden = followers.length === 0;
  drawEntries('effects', followers.slice(0, maxEffects));
}

function show() {
  const slider = find('time');
  slider.value = view.now;
  slider.setAttribute('aria-valuetext', formatTime(view.now) + (view.now < 0 ? ', before the change' : ''));
  for (const output of document.querySelectorAll('.now')) output.textContent = formatTime(view.now) + (view.now < 0 ? ' (before the change)' : '');
  const x = ((view.now - data.start) / (data.end - data.start)) * 100 + '%';
  for (const line of document.querySelectorAll('.cursor line')) for (const name of ['x1', 'x2']) line.setAttribute(name, x);
  showRequests();
  showPods();
  showEndpoints();
  showRoutes();
  showChanges();
}
`;

/** Moves the time by mouse and keyboard. */
const controlScript = markup`
function setTime(at) {
  view.now = Math.min(Math.max(at, data.start), data.end);
  view.selected = Math.max(0, countUntilNow(entries) - 1);
  show();
}

function select(index) {
  view.selected = index;
  view.now = Math.max(entries[index][0], data.start);
  show();
}

function step(count) {
  const index = count > 0 ? stops.findIndex((at) => at > view.now) : stops.findLastIndex((at) => at < view.now);
  if (index >= 0) setTime(stops[Math.min(Math.max(index + count - Math.sign(count), 0), stops.length - 1)]);
}

const keys = {
  ArrowRight: () => step(1),
  ArrowUp: () => step(1),
  ArrowLeft: () => step(-1),
  ArrowDown: () => step(-1),
  PageUp: () => step(10),
  PageDown: () => step(-10),
  Home: () => setTime(data.start),
  End: () => setTime(data.end),
};

find('time').addEventListener('input', ({ target }) => setTime(Number(target.value)));
find('time').addEventListener('keydown', (event) => {
  if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key]();
});
document.addEventListener('click', ({ target, clientX }) => {
  const button = target.closest('button');
  if (button?.dataset.entry) select(Number(button.dataset.entry));
  else if (button?.dataset.at) setTime(Number(button.dataset.at));
  else if (button?.dataset.step) step(Number(button.dataset.step));
  const { left, width } = target.closest('.lane')?.getBoundingClientRect() ?? {};
  if (width) setTime(Math.round(data.start + ((clientX - left) / width) * (data.end - data.start)));
});
find('state').hidden = false;
if (entries.length > 0) select(data.first);
else setTime(data.start);
`;

/** The program of the page. It is the same for every page, so that the content security policy can allow it by its hash. */
export const pageScript: Markup = markup`${readingScript}${drawingScript}${stateScript}${changesScript}${controlScript}`;
