import type { Check as SimulationCheck } from '@kube-endpoints/simulator';
import type { Page } from 'playwright-core';
import { type Check, check } from '../../compare.ts';
import { timesOf } from './expected.ts';
import { moveTo } from './probes.ts';

const shownTime = (page: Page): Promise<string | null> => page.locator('output.now').textContent();
const formatTime = (at: number): string => `${(at / 1000).toFixed(3)} s${at < 0 ? ' (before the change)' : ''}`;

/** How far each key moves the slider, in changes, in the order in which they are pressed. */
const stepsByKey: Readonly<Record<string, number>> = {
  Home: Number.NEGATIVE_INFINITY,
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
  ArrowDown: -1,
  End: Number.POSITIVE_INFINITY,
};

/** Checks that the mouse and each key of the slider change the time and the state shown. */
export async function checkSlider(page: Page, key: string, { worst }: SimulationCheck): Promise<Check[]> {
  const times = timesOf(worst);
  const stops = [-1000, ...times, (times.at(-1) ?? 0) + 1000];
  let index = 0;
  await page.locator('#time').focus();
  const checks: Check[] = [];
  for (const [keyName, steps] of Object.entries(stepsByKey)) {
    index = Math.min(Math.max(index + steps, 0), stops.length - 1);
    await page.keyboard.press(keyName);
    checks.push(check(key, `time after ${keyName}`, await shownTime(page), formatTime(stops[index] as number)));
  }
  checks.push(check(key, 'focus after the keys', await page.evaluate('document.activeElement.id'), 'time'));
  return [...checks, ...(await checkMouse(page, key))];
}

/** Drags the slider from the start to the end, and clicks on a lane and on a button. */
async function checkMouse(page: Page, key: string): Promise<Check[]> {
  await page.locator('#time').scrollIntoViewIfNeeded();
  const box = (await page.locator('#time').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const moveMouse = (share: number): Promise<void> => page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  const states: string[] = [];
  const note = async (): Promise<void> => void states.push(`${await shownTime(page)} ${await page.locator('#changes').textContent()}`);
  await moveMouse(0.001);
  await page.mouse.down();
  for (const share of [0.1, 0.5, 0.9]) {
    await moveMouse(share);
    await note();
  }
  await page.mouse.up();
  const before = await shownTime(page);
  await page
    .locator('.lane')
    .first()
    .click({ position: { x: 200, y: 10 } });
  const afterLane = await shownTime(page);
  await page.locator('[data-step="1"]').click();
  return [
    check(key, 'states while the mouse drags the slider', new Set(states).size, 3),
    check(key, 'a click on a lane changes the time', afterLane !== before, true),
    check(key, 'a click on "Next change" changes the time', (await shownTime(page)) !== afterLane, true),
  ];
}

const listCauses = (page: Page): Promise<string[]> => page.locator('#causes button').allTextContents();

/** Follows the causes of the first drop by mouse and by keyboard, then an effect. */
export async function checkCauses(page: Page, key: string, { worst: { drops } }: SimulationCheck): Promise<Check[]> {
  const [drop] = drops;
  if (!drop) return [];
  await page.evaluate(moveTo(0));
  await page.locator('.drops button').first().click();
  const causes = await listCauses(page);
  const time = await shownTime(page);
  await page.locator('#causes button').nth(1).click();
  const second = await listCauses(page);
  await page.locator('#causes button').nth(1).focus();
  await page.keyboard.press('Enter');
  const third = await listCauses(page);
  const focused = await page.evaluate<string>(`document.activeElement.closest('ol')?.id + ' ' + document.activeElement.textContent`);
  const current = await page.locator('#changes [aria-current]').allTextContents();
  await page.locator('#effects button').first().focus();
  await page.keyboard.press('Enter');
  return [
    check(key, 'time of the first drop', time, formatTime(drop.from)),
    check(key, 'number of its causes', causes.length, Math.min(60, drop.causes.length)),
    check(key, 'causes of its cause', second, causes.slice(1)),
    check(key, 'causes of the next cause, by keyboard', third, causes.slice(2)),
    check(key, 'focus after Enter on a cause', focused, `causes ${causes[2]}`),
    check(key, 'the selected change in the list', current, [causes[2]]),
    check(key, 'causes of an effect end like those of its cause', (await listCauses(page)).slice(1), causes.slice(2)),
  ];
}
