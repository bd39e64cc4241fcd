import { formatCount } from 'kube-endpoints/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ClientPort, resources } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage } from '../base/io.ts';
import type { InputFlags } from '../flags/cluster.ts';
import { type Invocation, type Release, type ReleaseFlags, releaseOf } from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import { formatProblem } from '../input/problem.ts';
import { readInput } from '../input/read.ts';
import { createScope, type Scope } from '../input/scope.ts';
import { createTemplatePods } from '../input/template-pods.ts';
import { printReport, type Report } from '../print/report.ts';
import { type LiveKind, readCluster } from './inventory.ts';
import { createReadingLine } from './reading-line.ts';
import { releaseFor } from './release.ts';
import { openCluster, readsCluster } from './source.ts';

/** The objects that a command line selects. */
export interface LoadedObjects {
  readonly inventory: Inventory;
  /** The namespace of -n, or the default namespace; unused with --all-namespaces. */
  readonly namespace: string;
  /** True if the objects come from a cluster: then absent objects do not exist. */
  readonly live: boolean;
  /** The release to follow; the newest if the command follows none. */
  readonly release: Release;
  /** True if the cluster has no namespace of this name. */
  readonly isNamespaceMissing?: boolean;
}

/** The objects that a command needs. */
export interface ReadRequest {
  /** The resources to read from a cluster, which may depend on the release. */
  readonly kinds: readonly LiveKind[] | ((release: Release) => readonly LiveKind[]);
  /** The names of the Services, empty for all, if no other Services and no objects of other namespaces are needed. */
  readonly names?: readonly string[] | undefined;
  /** The flags for the release to follow; by default that of the cluster. Undefined if the command follows no release. */
  readonly release?: ReleaseFlags | undefined;
  /** The release to follow for files without `--release`; by default the newest. */
  readonly defaultRelease?: string;
}

/**
 * Reads the objects of the files or the cluster of a command line, and reports problems with them. Without flags for either, reads the cluster
 * that kubectl would use.
 * @throws UsageError if there are neither files nor a cluster, or both, if the cluster cannot be read, or if the release is not known
 */
export const readObjects = (flags: InputFlags, request: ReadRequest, io: IO, printMessage: PrintMessage): Promise<LoadedObjects> =>
  readsCluster(flags) ? readLiveObjects(flags, request, io, printMessage) : readFiles(flags, request, io, printMessage);

async function readFiles({ flags }: InputFlags, request: ReadRequest, io: IO, printMessage: PrintMessage): Promise<LoadedObjects> {
  const release = releaseOf(request.release ?? {}, io, request.defaultRelease);
  const line = createReadingLine(io.stderr);
  const namespace = flags.namespace || 'default';
  const { names } = request;
  const scope = names === undefined || flags.allNamespaces ? undefined : { namespace, names };
  const { filename = [], recursive = false } = flags;
  const inventory = await readInput({ filenames: filename, recursive, namespace, scope, onProgress: line.show }, io);
  line.clear();
  printProblems(inventory.problems, printMessage);
  return { inventory, namespace, live: false, release };
}

async function readLiveObjects(inputFlags: InputFlags, request: ReadRequest, io: IO, printMessage: PrintMessage): Promise<LoadedObjects> {
  const { flags } = inputFlags;
  const cluster = await openCluster(inputFlags, io, printMessage);
  try {
    const release = request.release ? await releaseFor(request.release, cluster, io, printMessage) : releaseOf({}, { env: {} });
    const { kinds, names } = request;
    const namespace = flags.namespace || cluster.namespace;
    const line = createReadingLine(io.stderr);
    const { inventory, hints } = await readCluster(cluster.port, {
      namespace: flags.allNamespaces ? undefined : namespace,
      service: names?.length === 1 ? names[0] : undefined,
      serviceSelector: names && inputFlags.selector?.text,
      kinds: typeof kinds === 'function' ? kinds(release) : kinds,
      onSource: (source) => line.show({ source }),
    });
    line.clear();
    for (const hint of hints) printMessage('hint', hint);
    printProblems(inventory.problems, printMessage);
    const isEmpty = inventory.services.length + inventory.pods.length === 0;
    const isMissing = isEmpty && !flags.allNamespaces && (await isNamespaceMissing(cluster.port, namespace));
    return { inventory, namespace, live: true, release, isNamespaceMissing: isMissing };
  } finally {
    cluster.close();
  }
}

/** Whether a namespace does not exist; false if that cannot be read. */
async function isNamespaceMissing(port: ClientPort, name: string): Promise<boolean> {
  try {
    await port.get(resources.namespaces, { name });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.code === 404;
  }
}

const maxProblems = 100;

/** Reports problems with the objects of an input. */
export function printProblems(problems: Inventory['problems'], printMessage: PrintMessage): void {
  for (const problem of problems.slice(0, maxProblems)) printMessage('error', formatProblem(problem));
  if (problems.length > maxProblems)
    printMessage('error', `${formatCount(problems.length - maxProblems, 'more problem')} of this kind in the input`);
}

/** The input of a report. */
export interface ReportInput extends LoadedObjects {
  readonly scope: Scope;
}

/** Describes how a command reports on the objects that it reads. */
export interface ReportSpec {
  /** The resources to read from a cluster. */
  readonly kinds: readonly LiveKind[];
  /** The resources to read in addition if a report needs more. */
  readonly moreKinds?: readonly LiveKind[];
  /** The flags for the release to follow; undefined if the command follows none. */
  readonly release?: ReleaseFlags;
  /** True if names also match Endpoints and slices that have no Service. */
  readonly includesOrphans?: boolean;
  /** True if the templates of workloads stand in for pods if the files have no Pods. */
  readonly usesTemplates?: boolean;
  /** True if objects of other namespaces count as well, if the input has them. */
  readonly needsOtherNamespaces?: boolean;
  report(input: ReportInput): Report;
}

/** Reads the selected Services with their related objects and prints a report. Resolves to the exit code. */
export async function reportOnServices(
  invocation: Invocation<InputFlags>,
  spec: ReportSpec,
  io: IO,
  printMessage: PrintMessage,
): Promise<number> {
  const { flags } = invocation;
  const printOnce = createOncePrinter(printMessage);
  const { kinds, moreKinds = [], release, needsOtherNamespaces } = spec;
  const request: ReadRequest = { kinds, release, names: needsOtherNamespaces ? undefined : invocation.names };
  const first = await readAndReport(invocation, request, spec, io, printOnce);
  // Files were read completely.
  const canReadMore = first.report.needsMore === true && readsCluster(invocation);
  const complete: ReadRequest = { kinds: [...kinds, ...moreKinds], release };
  const { objects, scope, report } = canReadMore ? await readAndReport(invocation, complete, spec, io, printOnce) : first;
  const { inventory } = objects;
  const errors = [...findMissingNamespace(objects, flags.namespace), ...scope.notFoundMessages, ...(report.errors ?? [])];
  for (const error of errors) printOnce('error', error);
  const hints = [...(inventory.problems.length > 0 ? [] : scope.hints), ...(report.hints ?? [])];
  for (const hint of [...hints, ...createSkipHints(inventory, flags.output === 'wide')]) printOnce('hint', hint);
  await printReport(report, flags, io);
  if (inventory.problems.length > 0 || errors.length > 0) return exitCodes.error;
  return report.hasFindings ? exitCodes.found : exitCodes.nothing;
}

async function readAndReport(
  invocation: Invocation<InputFlags>,
  request: ReadRequest,
  { includesOrphans = false, usesTemplates = false, report: createReport }: ReportSpec,
  io: IO,
  printMessage: PrintMessage,
): Promise<{ readonly objects: LoadedObjects; readonly scope: Scope; readonly report: Report }> {
  const { flags, names, selector } = invocation;
  const read = await readObjects(invocation, request, io, printMessage);
  const objects = usesTemplates ? withTemplatePods(read) : read;
  const namespace = flags.allNamespaces ? undefined : objects.namespace;
  const scope = createScope(objects.inventory, { namespace, names, selector, includesOrphans });
  return { objects, scope, report: createReport({ ...objects, scope }) };
}

/** Prints each message once, because input may be read twice. */
function createOncePrinter(printMessage: PrintMessage): PrintMessage {
  const printed = new Set<string>();
  return (prefix, text) => {
    if (!printed.has(`${prefix} ${text}`)) printMessage(prefix, text);
    printed.add(`${prefix} ${text}`);
  };
}

/** Adds a pod for each workload if files have workloads, but no Pods, as before a deployment. */
export function withTemplatePods(objects: LoadedObjects): LoadedObjects {
  const { inventory, live } = objects;
  if (live || inventory.pods.length > 0) return objects;
  const pods = createTemplatePods(inventory);
  return { ...objects, inventory: { ...inventory, pods, templatePods: new Set(pods.map(objectKey)) } };
}

/** Returns a message if the namespace does not exist in the cluster, or if -n names one in which the files have nothing. */
function findMissingNamespace(
  { inventory: { namespaces }, live, namespace: used, isNamespaceMissing: isMissing }: LoadedObjects,
  namespace: string | undefined,
): readonly string[] {
  if (isMissing) return [`namespaces ${JSON.stringify(used)} not found`];
  if (live || !namespace || namespaces.some(({ metadata }) => metadata?.name === namespace)) return [];
  return [`namespaces ${JSON.stringify(namespace)} not found in the input`];
}

function createSkipHints({ ignoredCount, oldSliceCount, pods }: Inventory, wide: boolean): readonly string[] {
  const hints = oldSliceCount > 0 ? [`Skipped ${formatCount(oldSliceCount, 'EndpointSlice')} ${oldSlicesText}`] : [];
  if (!wide) return hints;
  const missingStatusCount = pods.filter(({ status }) => !status).length;
  return [
    ...hints,
    ...(missingStatusCount > 0 ? [`${formatCount(missingStatusCount, 'pod')} without a status: readiness and addresses are unknown.`] : []),
    ...(ignoredCount > 0 ? [`Skipped ${formatCount(ignoredCount, 'object')} of other kinds.`] : []),
  ];
}

const oldSlicesText =
  'of discovery.k8s.io/v1alpha1: give v1, or v1beta1, which clusters serve from 1.17 on (kubectl get endpointslices -A -o json).';
