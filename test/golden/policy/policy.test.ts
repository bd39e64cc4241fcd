import { expect, it } from 'vitest';
import type { PolicyAnswer, PolicyWorld } from '../../../conformance/oracle/policy/case.ts';
import { comparePolicy } from '../../../conformance/oracle/policy/compare.ts';
import { readGzippedJsonLines } from '../../support/jsonl.ts';

const read = <Line>(name: string): Line[] => readGzippedJsonLines<Line>(new URL(`${name}.jsonl.gz`, import.meta.url));

it('evaluateTraffic decides as the engines, except for their known deviations and choices', () => {
  const answers = read<PolicyAnswer>('0.8.0');
  const totals: Record<string, number> = {};
  for (const [i, world] of read<PolicyWorld>('cases').entries()) {
    const { counts, difference } = comparePolicy(world, answers[i] as PolicyAnswer);
    expect(difference, world.id).toBeUndefined();
    for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
  }
  expect(totals).toMatchInlineSnapshot(`
    {
      "controller: a named port of an admin rule matches every port": 22,
      "controller: an empty list of rules allows everything": 305,
      "controller: equal": 5092,
      "controller: not evaluated": 730,
      "controller: open CIDRAmbiguous": 2,
      "controller: open DomainNamesUnknown": 9,
      "controller: open EgressToOwnNodeUndefined": 17,
      "controller: open HostNetworkUndefined": 72,
      "controller: open OtherDirectionUndefined": 14,
      "controller: open PodToItselfUndefined": 13,
      "controller: open PortOfSidecar": 1,
      "controller: open SamePriorityUndefined": 3,
      "controller: peers by node match the pods of the nodes": 19,
      "controller: peers without a known field match nothing": 44,
      "controller: several deviations": 7,
      "controller: the own node is restricted": 20,
      "controller: traffic of a pod to itself is restricted": 30,
      "matcher: NotIn does not match if the label is absent": 35,
      "matcher: an empty value of matchLabels matches if the label is absent": 40,
      "matcher: equal": 6087,
      "matcher: not evaluated": 44,
      "matcher: open CIDRAmbiguous": 3,
      "matcher: open EgressToOwnNodeUndefined": 23,
      "matcher: open HostNetworkUndefined": 75,
      "matcher: open PortOfSidecar": 1,
      "matcher: several deviations": 14,
      "matcher: the own node is restricted": 32,
      "matcher: traffic of a pod to itself is restricted": 46,
    }
  `);
});
