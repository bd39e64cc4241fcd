import type { RuntimeEvent } from '../../../src/host/runtime-event.ts';
import { createMetrics, type MetricsOptions } from '../../../src/operations/index.ts';
import { createStoppedClock } from '../runtime-events.ts';

/** The samples of a scrape, by name and labels as printed. */
export async function scrapeAfter(events: readonly RuntimeEvent[], options: MetricsOptions = {}): Promise<ReadonlyMap<string, number>> {
  const metrics = createMetrics({ clock: createStoppedClock(), process: false, ...options });
  for (const event of events) metrics.observer(event);
  return samplesOf(await metrics.scrape());
}

export const samplesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

export const filterSamples = (samples: ReadonlyMap<string, number>, pattern: RegExp): object =>
  Object.fromEntries([...samples].filter(([name]) => pattern.test(name)));
