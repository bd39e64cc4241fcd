import { expect, test } from 'vitest';
import { createReadingLine } from '../../src/live/reading-line.ts';

function createLine(isTTY: boolean) {
  const clock = { now: 0 };
  const texts: string[] = [];
  const output = { isTTY, write: (text: string) => void texts.push(text.replace('\r\u001b[K', '')) };
  return { clock, texts, line: createReadingLine(output, () => clock.now) };
}

test('the reading line moves at most ten times a second, and starts again with each source', () => {
  const { clock, texts, line } = createLine(true);
  line.show({ source: 'a\u0007.json' });
  line.show({ source: 'a.json', readBytes: 1 });
  clock.now = 100;
  line.show({ source: 'a.json', readBytes: 5 * 2 ** 20 });
  clock.now = 199;
  line.show({ source: 'a.json', objects: { readCount: 0, count: 34_300 } });
  clock.now = 200;
  line.show({ source: 'a.json', objects: { readCount: 15_000, count: 34_300 } });
  line.show({ source: 'b.json' });
  line.clear();
  expect(texts).toEqual([
    'reading a\\u0007.json ...',
    'reading a.json: 5 MiB ...',
    'reading a.json: 15,000 of 34,300 objects ...',
    'reading b.json ...',
    '',
  ]);
});

test('the reading line writes nothing if the output is not a terminal', () => {
  const { texts, line } = createLine(false);
  line.show({ source: 'a.json' });
  line.clear();
  expect(texts).toEqual([]);
});
