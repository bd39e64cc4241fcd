import { namespaceOf, objectKey } from '../apimachinery/index.ts';
import { type Diagnosis, isMinor } from '../explain/diagnosis.ts';
import { createEvidence, type Evidence } from '../explain/evidence.ts';
import type { FinalDestination } from './destination.ts';
import type { TracePod, TraceService } from './objects.ts';
import { traceCommands } from './reasons.ts';
import type { StepResult, TraceCause, TraceItem, TraceNote, TraceStage, TraceStep } from './trace.ts';

export interface CauseInput {
  readonly results: readonly StepResult[];
  readonly destination: FinalDestination;
  /** The causes that `diagnoseService` finds for the Service of the destination; empty without a Service. */
  readonly diagnoses: readonly Diagnosis[];
  /** The field of the followed Service port: "spec.ports[0]". */
  readonly portPath: string | undefined;
  /** The client pod, if it is known. */
  readonly client: TracePod | undefined;
}

/** Steps whose problems the pods of the Service cause, or which only show them. */
const podStages: readonly TraceStage[] = ['record', 'endpoints', 'pod', 'readiness'];

/** Codes of outdated slices: a cause of its own unless the pods themselves are in no state to serve. */
const staleCodes: readonly string[] = ['SlicesMissEndpoints', 'SlicesHaveExtraEndpoints', 'SlicesHaveOldState'];

/** Finds the root cause of a trace's outcome; undefined if no step has a problem. */
export function findTraceCause(input: CauseInput): TraceCause | undefined {
  const { results, destination, diagnoses, portPath } = input;
  const failing = results.filter(({ step }) => step.outcome === 'error' || step.outcome === 'warning').map(({ step }) => step);
  const step = failing.find(({ stage, outcome }) => outcome === 'error' || stage !== 'service') ?? failing[0];
  if (!step) return undefined;
  const diagnosis = diagnoses.find((each) => !isMinor(each.code) && isOfPort(each, portPath));
  const stale = failing.flatMap(({ notes }) => notes).find(({ code }) => staleCodes.includes(code));
  const arePodsTheCause = podStages.includes(step.stage) && isFollowed(destination, step);
  if (arePodsTheCause && stale && diagnosis?.severity !== 'error') return createNoteCause(stale, step, input);
  if (arePodsTheCause && diagnosis) return { ...pickFields(diagnosis), stage: podStageOf(diagnosis) };
  if (step.stage === 'record') return createRecordCause(step, results, input);
  const note = findMainNote(step);
  return note && createNoteCause(note, step, input);
}

/** The name that does not resolve, and the name that the client may mean. */
function createRecordCause(step: TraceStep, results: readonly StepResult[], input: CauseInput): TraceCause | undefined {
  const [note] = step.notes;
  const remedy =
    (step.notes.find((each) => each.code !== note?.code && each.remedy !== undefined) ?? note)?.remedy ?? findMainNote(step)?.remedy;
  const sentence = results.find((result) => result.step === step)?.cause;
  return (
    note && createNoteCause({ ...note, ...(sentence && { message: `${sentence}.` }), ...(remedy !== undefined && { remedy }) }, step, input)
  );
}

/** A missing record is the problem of the pods only if the Service itself exists. */
const isFollowed = (destination: FinalDestination, { stage }: TraceStep): boolean =>
  stage !== 'record' ||
  ('service' in destination && destination.service?.spec?.type !== 'ExternalName' && destination.service !== undefined);

/** Whether a cause concerns the followed port, or no single port. */
function isOfPort({ evidence }: Diagnosis, portPath: string | undefined): boolean {
  const path = evidence[0]?.path ?? '';
  return portPath === undefined || !path.startsWith('spec.ports[') || path.startsWith(portPath);
}

const pickFields = ({ code, message, evidence, fix }: Diagnosis): Omit<TraceCause, 'stage'> => ({ code, message, evidence, fix });

const podStageOf = ({ evidence }: Diagnosis): TraceStage =>
  evidence[0]?.path.startsWith('status.containerStatuses') ? 'readiness' : 'pod';

/** The note with a fix, of the step or of one of its items; otherwise the first note. */
function findMainNote({ notes, leftOut, chosen }: TraceStep): TraceNote | undefined {
  const itemNotes = [...leftOut, ...chosen].flatMap((item: TraceItem) => item.notes);
  const hasRemedy = ({ remedy }: TraceNote): boolean => remedy !== undefined;
  return notes.find(hasRemedy) ?? itemNotes.find(hasRemedy) ?? notes[0];
}

function createNoteCause({ code, message, object, path, remedy }: TraceNote, { stage }: TraceStep, input: CauseInput): TraceCause {
  const { destination } = input;
  const command =
    object === undefined
      ? createCommand(code, path, 'service' in destination ? destination.service : undefined)
      : createObjectCommand(code, object);
  return {
    code,
    message,
    evidence: path === undefined ? [] : findEvidence(path, input),
    ...(remedy !== undefined && { fix: { text: remedy, ...(command !== undefined && { command }) } }),
    stage,
  };
}

/** The value of the field of a note, if it is one of the Service or of the client pod. */
function findEvidence(path: string, { destination, client }: CauseInput): readonly Evidence[] {
  const [root = ''] = path.split('.');
  const object = root === 'pod' ? client : root === 'service' && 'service' in destination ? destination.service : undefined;
  if (!object) return [];
  return [createEvidence(`${root === 'pod' ? 'Pod' : 'Service'} ${objectKey(object)}`, path.slice(root.length + 1), object)];
}

/** Codes whose cause is in another object, or in the status that a controller writes: editing the object does not fix it. */
const statusCodes: readonly string[] = [
  'GatewayClassNotAccepted',
  'GatewayHasNoAddress',
  'GatewayNotReady',
  'HostnameNotAllowed',
  'KindNotAllowed',
  'ListenerNotReady',
  'ListenerSetNotAllowed',
  'NamespaceNotAllowed',
  'ReferenceNotGranted',
  'RefsNotResolved',
  'RouteNotAccepted',
  'SecretNotFound',
];

/** "kubectl -n shop edit httproute web" for "HTTPRoute shop/web" */
function createObjectCommand(code: string, object: string): string {
  const [kind = '', key = ''] = object.split(' ');
  const [name, namespace] = key.split('/').toReversed();
  return `kubectl ${namespace === undefined ? '' : `-n ${namespace} `}${statusCodes.includes(code) ? 'describe' : 'edit'} ${kind.toLowerCase()} ${name}`;
}

function createCommand(code: string, path: string | undefined, service: TraceService | undefined): string | undefined {
  const template = traceCommands[code];
  if (!template || !service) return undefined;
  const values: Readonly<Record<string, string>> = {
    namespace: namespaceOf(service),
    service: service.metadata?.name ?? '',
    key: objectKey(service),
    field: path?.split('.').at(-1) ?? '',
  };
  return template.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces);
}
