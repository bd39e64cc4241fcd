import type { Cell, RowCondition } from '../description.ts';
import { child, type Fields, flag, has, list, number, text } from '../field/read.ts';
import { ageOf, formatTimeSince } from '../table/columns.ts';

/** Mirrors printPod (pkg/printers/internalversion, 1.36). */
export function podCells(object: Fields, now: Date): Cell[] {
  const [spec, status] = [child(object, 'spec'), child(object, 'status')];
  const summary = summarize(object);
  const restartCount = `${summary.restarts}`;
  const restartAge = summary.restarts !== 0 && summary.lastRestart !== '' ? ` (${formatTimeSince(summary.lastRestart, now)} ago)` : '';
  return [
    text(child(object, 'metadata'), 'name'),
    `${summary.readyCount}/${list(spec, 'containers').length + list(spec, 'initContainers').filter(isSidecar).length}`,
    summary.reason,
    restartCount + restartAge,
    ageOf(object, now),
    text(list(status, 'podIPs')[0] ?? {}, 'ip') || '<none>',
    text(spec, 'nodeName') || '<none>',
    text(status, 'nominatedNodeName') || '<none>',
    readinessGatesCell(spec, status),
  ];
}

interface Summary {
  readonly reason: string;
  readonly readyCount: number;
  readonly restarts: number;
  readonly lastRestart: string;
}

const isSidecar = (container: Fields): boolean => text(container, 'restartPolicy') === 'Always';

function summarize(object: Fields): Summary {
  const status = child(object, 'status');
  const init = summarizeInit(object);
  const initializedCondition = list(status, 'conditions').find((each) => text(each, 'type') === 'Initialized');
  const isInitialized = !init.isPending || (initializedCondition !== undefined && text(initializedCondition, 'status') === 'True');
  const summary = isInitialized ? summarizeContainers(status, init) : init;
  return { ...summary, reason: deletionReason(object) ?? summary.reason };
}

function deletionReason(object: Fields): string | undefined {
  const status = child(object, 'status');
  if (!has(child(object, 'metadata'), 'deletionTimestamp')) return undefined;
  if (text(status, 'reason') === 'NodeLost') return 'Unknown';
  return ['Failed', 'Succeeded'].includes(text(status, 'phase')) ? undefined : 'Terminating';
}

interface InitSummary extends Summary {
  /** True if an init container has not finished, or a sidecar has not started. */
  readonly isPending: boolean;
  readonly sidecarRestarts: number;
  readonly sidecarLastRestart: string;
}

function summarizeInit(object: Fields): InitSummary {
  const [spec, status] = [child(object, 'spec'), child(object, 'status')];
  const sidecars = new Set(
    list(spec, 'initContainers')
      .filter(isSidecar)
      .map((each) => text(each, 'name')),
  );
  const isGated = list(status, 'conditions').some(
    (each) => text(each, 'type') === 'PodScheduled' && text(each, 'reason') === 'SchedulingGated',
  );
  let reason = isGated ? 'SchedulingGated' : text(status, 'reason') || text(status, 'phase');
  const counts = { readyCount: 0, restarts: 0, lastRestart: '', sidecarRestarts: 0, sidecarLastRestart: '' };
  for (const [i, container] of list(status, 'initContainerStatuses').entries()) {
    const isInSidecars = sidecars.has(text(container, 'name'));
    counts.restarts += number(container, 'restartCount');
    counts.lastRestart = latest(counts.lastRestart, lastFinishedAt(container));
    if (isInSidecars) {
      counts.sidecarRestarts += number(container, 'restartCount');
      counts.sidecarLastRestart = latest(counts.sidecarLastRestart, lastFinishedAt(container));
    }
    const terminated = child(container, 'state')['terminated'] as Fields | undefined;
    if (terminated && number(terminated, 'exitCode') === 0) continue;
    if (isInSidecars && flag(container, 'started')) {
      if (flag(container, 'ready')) counts.readyCount += 1;
      continue;
    }
    reason = `Init:${initReason(container, `${i}/${list(spec, 'initContainers').length}`)}`;
    return { ...counts, reason, isPending: true };
  }
  return { ...counts, reason, isPending: false };
}

function initReason(container: Fields, progress: string): string {
  const state = child(container, 'state');
  if (has(state, 'terminated')) return terminationReason(child(state, 'terminated'));
  const waiting = text(child(state, 'waiting'), 'reason');
  return waiting !== '' && waiting !== 'PodInitializing' ? waiting : progress;
}

function summarizeContainers(status: Fields, init: InitSummary): Summary {
  let { reason, readyCount, sidecarRestarts, sidecarLastRestart } = init;
  let hasRunning = false;
  let failure = '';
  for (const container of list(status, 'containerStatuses').toReversed()) {
    sidecarRestarts += number(container, 'restartCount');
    sidecarLastRestart = latest(sidecarLastRestart, lastFinishedAt(container));
    const state = child(container, 'state');
    const waiting = text(child(state, 'waiting'), 'reason');
    if (waiting !== '') reason = waiting;
    else if (has(state, 'terminated')) {
      reason = terminationReason(child(state, 'terminated'));
      if (number(child(state, 'terminated'), 'exitCode') !== 0) failure = reason;
    } else if (flag(container, 'ready') && has(state, 'running')) {
      hasRunning = true;
      readyCount += 1;
    }
  }
  if (reason === 'Completed') {
    const isReady = list(status, 'conditions').some((each) => text(each, 'type') === 'Ready' && text(each, 'status') === 'True');
    if (hasRunning && isReady) reason = 'Running';
    else if (failure !== '') reason = failure;
    else if (hasRunning) reason = 'NotReady';
  }
  return { reason, readyCount, restarts: sidecarRestarts, lastRestart: sidecarLastRestart };
}

function terminationReason(terminated: Fields): string {
  const signal = number(terminated, 'signal');
  return text(terminated, 'reason') || (signal === 0 ? `ExitCode:${number(terminated, 'exitCode')}` : `Signal:${signal}`);
}

const lastFinishedAt = (container: Fields): string => text(child(child(container, 'lastState'), 'terminated'), 'finishedAt');

const latest = (a: string, b: string): string => (b > a ? b : a);

function readinessGatesCell(spec: Fields, status: Fields): string {
  const gates = list(spec, 'readinessGates');
  if (gates.length === 0) return '<none>';
  const readyGates = gates.filter((gate) => {
    const condition = list(status, 'conditions').find((each) => text(each, 'type') === text(gate, 'conditionType'));
    return condition !== undefined && text(condition, 'status') === 'True';
  });
  return `${readyGates.length}/${gates.length}`;
}

/**
 * The row condition of a finished pod. Mirrors podSuccessConditions and podFailedConditions (1.36,
 * pkg/printers/internalversion/printers.go).
 */
export function podRowConditions(object: Fields): readonly RowCondition[] {
  const phase = text(child(object, 'status'), 'phase');
  const message = completedMessages[phase];
  return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason: phase, message }];
}

const completedMessages: Readonly<Record<string, string | undefined>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
};
