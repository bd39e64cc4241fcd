import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { buildDns } from './build.ts';
import type { DnsCase, DnsCaseAnswer } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateDns } from './generate.ts';
import { replayDns } from './replay.ts';

export { dnsReleases } from './build.ts';

/** Compares a zone with the kubernetes plugin of a CoreDNS release, for random clusters with many questions each. */
export const conformDns: ConformanceCheck = createConformanceCheck<DnsCase, DnsCaseAnswer>({
  build: buildDns,
  mode: 'run',
  generate: generateDns,
  replay: replayDns,
  firstDifference,
  // The differing question is printed; the other questions of its case are only counted.
  excerpt: ({ queries, ...testCase }) => ({ ...testCase, queries: queries.length }),
  countsOf,
  summary: (release, cases, { questions, transfers, failures }) =>
    `CoreDNS ${release}: ${cases} clusters, ${questions} questions and ${transfers} transfers compared, ${failures} failures of the release`,
});

function countsOf({ answers = [], transfers = [], error }: DnsCaseAnswer): Record<'questions' | 'transfers' | 'failures', number> {
  const failed = answers.filter((outcome) => outcome.error !== undefined).length;
  const incomplete = transfers.filter(({ records }) => records === null).length;
  return {
    questions: answers.length - failed,
    transfers: transfers.length - incomplete,
    failures: failed + incomplete + (error === undefined ? 0 : 1),
  };
}
