import { type Conform, conformWith } from '../conform.ts';
import { buildDns } from './build.ts';
import type { DnsCase, DnsCaseAnswer } from './case.ts';
import { firstDifference } from './compare.ts';
import { generateDns } from './generate.ts';
import { replayDns } from './replay.ts';

export { dnsReleases } from './build.ts';

/** Compares a zone with the kubernetes plugin of a CoreDNS release, over worlds with many questions each. */
export const conformDns: Conform = conformWith<DnsCase, DnsCaseAnswer>({
  build: buildDns,
  mode: 'run',
  generate: generateDns,
  replay: replayDns,
  firstDifference,
  // The differing question is printed; the other questions of its world are only counted.
  excerpt: ({ queries, ...world }) => ({ ...world, queries: queries.length }),
  countsOf,
  summary: (release, cases, { questions, transfers, failures }) =>
    `CoreDNS ${release}: ${cases} worlds, ${questions} questions and ${transfers} transfers compared, ${failures} that it fails at`,
});

function countsOf({ answers = [], transfers = [], error }: DnsCaseAnswer): Record<'questions' | 'transfers' | 'failures', number> {
  const failed = answers.filter((outcome) => outcome.error !== undefined).length;
  const unended = transfers.filter(({ records }) => records === null).length;
  return {
    questions: answers.length - failed,
    transfers: transfers.length - unended,
    failures: failed + unended + (error === undefined ? 0 : 1),
  };
}
