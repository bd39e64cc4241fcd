import { objectKey } from '../apimachinery/index.ts';
import type { Destination } from './destination.ts';
import { counted } from './note.ts';
import type { Draft } from './step.ts';
import type { Trace, TraceOutcome, TraceStage } from './trace.ts';

type Asked = Pick<Trace, 'target' | 'from' | 'node'>;

/** What the whole comes to, in a word and in a sentence. */
export function verdictOf(
  { target, from, node }: Asked,
  destination: Destination,
  drafts: readonly Draft[],
): Pick<Trace, 'outcome' | 'verdict'> {
  const outcome = outcomeOf(destination, drafts);
  const origin = node !== undefined ? ` from node ${node}` : from !== undefined ? ` from ${from}` : '';
  return { outcome, verdict: `${target} ${sentences[outcome](destination, drafts, origin)}.` };
}

/** Behind these nothing is, where they fail; the pods and their readiness only tell why. */
const decisive: readonly TraceStage[] = ['name', 'record', 'service', 'policy', 'endpoints'];
/** What leaves something out of what could be reached. */
const narrowing: readonly TraceStage[] = ['policy', 'endpoints', 'pod', 'readiness'];

function outcomeOf({ kind }: Destination, drafts: readonly Draft[]): TraceOutcome {
  const isWrong = ({ step: { stage, outcome } }: Draft): boolean =>
    outcome === 'error' && (decisive.includes(stage) || (kind === 'pod' && stage === 'pod'));
  if (kind === 'nowhere' || drafts.some(isWrong)) return 'unreachable';
  if (kind === 'outside' || kind === 'unknown') return 'outside';
  const isNarrowed = ({ step: { stage, outcome } }: Draft): boolean =>
    narrowing.includes(stage) && (outcome === 'warning' || outcome === 'error');
  return drafts.some(isNarrowed) ? 'degraded' : 'reached';
}

type Sentence = (destination: Destination, drafts: readonly Draft[], origin: string) => string;

const sentences: Readonly<Record<TraceOutcome, Sentence>> = {
  reached: (destination, drafts, origin) => `reaches ${goal(destination, drafts)}${origin}`,
  degraded: (destination, drafts, origin) =>
    `reaches ${goal(destination, drafts)}${origin}, but not all is well: ${why(drafts, narrowing)}`,
  outside: (destination, drafts, origin) =>
    destination.kind === 'outside'
      ? `leads out of the cluster${origin}, to ${destination.name}`
      : `leads to no Service and no pod${origin}: ${why(drafts, decisive)}`,
  unreachable: (_, drafts, origin) => `reaches nothing${origin}: ${why(drafts, decisive)}`,
};

function goal(destination: Destination, drafts: readonly Draft[]): string {
  if (destination.kind === 'pod') return `pod ${objectKey(destination.pod)}`;
  const reached = drafts.find(({ step }) => step.stage === 'endpoints')?.step.chosen.length ?? 0;
  const service = 'service' in destination && destination.service ? ` of Service ${objectKey(destination.service)}` : '';
  return `${counted(reached, 'endpoint')}${service}`;
}

/** The first that is wrong, and what of the pods is the cause where it is the endpoints that are missing. */
function why(drafts: readonly Draft[], stages: readonly TraceStage[]): string {
  const blamed = drafts.filter(({ blame, step }) => blame !== undefined && step.outcome !== 'ok' && step.outcome !== 'skipped');
  const first = blamed.find(({ step: { stage } }) => stages.includes(stage)) ?? blamed[0];
  if (!first) return 'no step tells why';
  const isOfPods = first.step.stage === 'endpoints' || first.step.stage === 'record';
  const deeper = isOfPods ? blamed.find(({ step: { stage } }) => stage === 'pod' || stage === 'readiness') : undefined;
  const isItsCause = first.step.outcome === 'error' || deeper?.step.stage === 'readiness';
  return [first, deeper].flatMap((each) => (each?.blame !== undefined ? [inSentence(each.blame)] : [])).join(isItsCause ? ': ' : '; ');
}

/** Without the capital of a word that is no name. */
const inSentence = (text: string): string =>
  text.replace(/^(The|There|No|Names|Nothing|None|Of|A|Node|Pod|This|These|Nobody)(?= )/, (word) => word.toLowerCase());
