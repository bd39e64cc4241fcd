import { createRandomChoice } from '@kube-endpoints/simulator/internal';
import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../../../test/support/markdown.ts';
import { readTextFile } from '../../../../test/support/repository.ts';
import { findDrops } from '../../src/analysis/drops.ts';
import { explainDrops } from '../../src/analysis/explain.ts';
import { choices, type RuleCase, rulesThatDoNotHelp, rulesThatTakeOut, ruleThatStopsWrites } from './cases.ts';
import { describeStory } from './describe.ts';
import { findFlaps } from './flaps.ts';
import { runStory, type Story, type StoryOptions } from './story.ts';

type Options = Omit<StoryOptions, 'choose'>;

const allChoices = choices.map(({ name }) => name);
/** The names of the choices with which a drained host returns too early. */
const listFlapping = (options: Options): string[] =>
  choices.filter(({ create }) => findFlaps(runStory({ ...options, choose: create() })).length > 0).map(({ name }) => name);

const withSeed1 = (options: Options): Story => runStory({ ...options, choose: createRandomChoice(1) });

/** During the wait, and while the containers end and start. */
const reconnect = { afterSeconds: [-10, 1, 3, 9, 12], stream: 'same' } as const;

const rulesOf =
  ({ create }: RuleCase): NonNullable<Options['rules']> =>
  (batch) => [{ name: 'batch', ...create(batch) }];

describe('a balancer that applies full states', () => {
  test('puts drained hosts back into rotation when another host of the batch changes', () => {
    const story = withSeed1({ mode: 'fullState' });
    expect(findFlaps(story)).toStrictEqual([
      { pod: 'web-0', from: 10_144, to: 12_992, refusedMs: 2848 },
      { pod: 'web-2', from: 10_144, to: 14_091, refusedMs: 3947 },
    ]);
    expect(explainDrops(findDrops(story.cluster.timeline, { since: story.replacedAt }))).toStrictEqual([
      "10.1–14.1 s: 2 of 5 endpoints of default/web still receive connections after closing their listener (up to 40% of a client's connections), because the containers restarted while their pods were ready.",
    ]);
  });

  test('does so unless all hosts change within one window', () => {
    const harmless = ['seed 6', 'seed 7', 'all early', 'all late', 'web-0 exits early', 'web-0 and web-1 exit early'];
    const early = ['web-0 exits early, propagation early', 'all early, propagation late', 'starts late'];
    expect(listFlapping({ mode: 'fullState' })).toStrictEqual(allChoices.filter((name) => ![...harmless, ...early].includes(name)));
  });

  test('keeps the hosts of a batch of deleted pods out of rotation', () => {
    expect(listFlapping({ mode: 'fullState', replace: 'deletion' })).toStrictEqual([]);
  });

  test('puts the hosts of deleted pods back if it applies every write at once, or a full state during the wait', () => {
    expect(listFlapping({ mode: 'fullState', replace: 'deletion', windowMs: 0 })).toStrictEqual(allChoices);
    expect(listFlapping({ mode: 'fullState', replace: 'deletion', reconnect })).toStrictEqual(allChoices);
  });
});

describe('a balancer that applies differences', () => {
  test.each(['inPlace', 'deletion'] as const)('keeps drained hosts out of rotation until they serve: %s', (replace) => {
    expect(listFlapping({ mode: 'differences', replace })).toStrictEqual([]);
    const story = withSeed1({ mode: 'differences', replace });
    expect(findDrops(story.cluster.timeline, { since: story.replacedAt })).toStrictEqual([]);
  });

  test('does so without a window, too', () => {
    expect(listFlapping({ mode: 'differences', windowMs: 0 })).toStrictEqual([]);
  });

  test.each(['same', 'new'] as const)('keeps them out after a reconnect with full states in the %s stream', (stream) => {
    expect(listFlapping({ mode: 'differences', reconnect: { ...reconnect, stream } })).toStrictEqual([]);
  });

  test('brings them back after a reconnect if it puts a full state into rotation as it is', () => {
    expect(listFlapping({ mode: 'changedEvents' })).toStrictEqual([]);
    expect(listFlapping({ mode: 'changedEvents', reconnect })).toStrictEqual(allChoices);
  });
});

describe('an override rule during the drain, with a balancer that applies full states', () => {
  test.each(rulesThatTakeOut)('$name prevents the flaps, also after a reconnect', (rule) => {
    expect(listFlapping({ mode: 'fullState', rules: rulesOf(rule) })).toStrictEqual([]);
    expect(listFlapping({ mode: 'fullState', rules: rulesOf(rule), reconnect })).toStrictEqual([]);
  });

  test('refuse prevents the flaps, but not those after a reconnect', () => {
    const rules = rulesOf(ruleThatStopsWrites);
    expect(listFlapping({ mode: 'fullState', rules })).toStrictEqual([]);
    expect(listFlapping({ mode: 'fullState', rules, reconnect })).toStrictEqual(allChoices);
  });

  test.each(rulesThatDoNotHelp)('$name does not prevent the flaps', (rule) => {
    for (const reconnects of [{}, { reconnect }])
      expect(findFlaps(withSeed1({ mode: 'fullState', rules: rulesOf(rule), ...reconnects }))).not.toStrictEqual([]);
  });

  test('leaves the endpoints as the controllers write them when it ends', () => {
    for (const rule of [...rulesThatTakeOut, ruleThatStopsWrites, ...rulesThatDoNotHelp]) {
      const { cluster } = withSeed1({ mode: 'fullState', rules: rulesOf(rule) });
      const last = cluster.timeline.findLast((entry) => entry.type === 'route');
      expect(last?.type === 'route' && last.addresses, rule.name).toHaveLength(5);
    }
  });
});

test('the same seed leads to the same timeline', () => {
  const [first, second] = [0, 1].map(() => JSON.stringify(withSeed1({ mode: 'fullState' }).cluster.timeline));
  expect(first).toBe(second);
});

test('the page shows the timelines of the simulation', () => {
  const texts = readMarkdown(readTextFile('docs/cookbook/restart-in-place.md')).blocks.map(({ text }) => text);
  const ofBalancer = (line: string): boolean => line.includes(' balancer ');
  expect(texts).toContain(describeStory(withSeed1({ mode: 'fullState' })).join('\n'));
  expect(texts).toContain(
    describeStory(withSeed1({ mode: 'differences' }))
      .filter(ofBalancer)
      .join('\n'),
  );
  expect(texts).toContain(describeStory(withSeed1({ mode: 'fullState', replace: 'deletion' })).join('\n'));
});
