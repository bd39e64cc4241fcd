import { compareReleases, type PodExplanation, type ReleaseComparison } from '../../explain/index.ts';
import { type GateName, gates } from '../../versions/index.ts';
import type { Style } from '../print/style.ts';
import { cell, formatTable } from '../print/table.ts';
import { counted } from '../print/text.ts';
import type { Report } from '../report.ts';
import type { Scope } from '../scope.ts';
import { formatReason, stateOf } from './explain.ts';

export interface UpgradeOptions {
  readonly from: string;
  readonly to: string;
}

/** `upgrade`: what becomes different for these objects between two releases, and why. */
export function upgrade(scope: Scope, { from, to }: UpgradeOptions): Report {
  const compared = scope.services.map((service) => compareReleases(service, scope.selectedBy(service), { from, to }));
  const changed = compared.filter(({ same, pods }) => !same || pods.length > 0);
  return {
    found: changed.length > 0,
    text: (style) =>
      compared.length === 0
        ? []
        : [...overview(compared, style), ...moves(compared, style), ...causes(compared, style), verdict(compared, { from, to })],
    data: () => ({ items: compared }),
  };
}

/** A row for each Service of which something is to be told; with `-o wide` for the others, too. */
function overview(compared: readonly ReleaseComparison[], style: Style): string[] {
  const told = style.wide
    ? compared
    : compared.filter(({ same, pods, takeover }) => !same || pods.length > 0 || takeover.action !== 'none');
  if (told.length === 0) return [];
  const rows = told.map(({ namespace, name, differences, pods, takeover }) => [
    cell(namespace),
    cell(name),
    cell(pods.length),
    cell(takeover.action, takeover.action === 'none' ? undefined : 'yellow'),
    ...(style.wide ? [cell(takeover.reasons.map(({ code }) => code).join(','))] : []),
    {
      lines: style.wide
        ? differences.map(({ what, message }) => `${what}: ${message}`)
        : [differences.map(({ what }) => what).join(', ') || '<none>'],
    },
  ]);
  const headings = ['NAMESPACE', 'SERVICE', 'PODS MOVED', 'FIRST SYNC', ...(style.wide ? ['BECAUSE'] : []), 'DIFFERENCES'];
  return [...formatTable(headings, rows, style), ''];
}

/** Every pod that is in another place, with the reasons of the release that leaves it out, else of the new one. */
function moves(compared: readonly ReleaseComparison[], style: Style): string[] {
  const moved = compared.flatMap(({ namespace, name, pods }) => pods.map((pod) => ({ service: `${namespace}/${name}`, ...pod })));
  if (moved.length === 0) return [];
  const [{ from, to }] = compared as readonly [ReleaseComparison];
  const rows = moved.map(({ service, before, after }) => [
    cell(before.name),
    cell(service),
    cell(`${stateOf(before).word}${before.ip === undefined ? '' : ` ${before.ip}`}`, stateOf(before).colour),
    cell(`${stateOf(after).word}${after.ip === undefined ? '' : ` ${after.ip}`}`, stateOf(after).colour),
    { lines: after.included && !before.included ? reasonsIn(from, before) : reasonsIn(to, after) },
  ]);
  return [...formatTable(['POD', 'SERVICE', from, to, 'WHY'], rows, style), ''];
}

const reasonsIn = (release: string, { reasons }: PodExplanation): string[] =>
  reasons.map((reason) => `${release}: ${formatReason(reason)}`);

/** The gates that are the causes, each with the number of Services that it concerns. */
function causes(compared: readonly ReleaseComparison[], style: Style): string[] {
  const counts = new Map<GateName, number>();
  for (const { differences } of compared) {
    for (const gate of new Set(differences.flatMap((difference) => difference.gates))) counts.set(gate, (counts.get(gate) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const rows = (Object.keys(gates) as GateName[])
    .filter((gate) => counts.has(gate))
    .map((gate) => [
      cell(gate),
      cell(gates[gate].reference),
      cell(gates[gate].since),
      cell(counts.get(gate) as number),
      cell(gates[gate].summary),
    ]);
  return [...formatTable(['CAUSE', 'REFERENCE', 'SINCE', 'SERVICES', 'WHAT CHANGED'], rows, style), ''];
}

function verdict(compared: readonly ReleaseComparison[], { from, to }: UpgradeOptions): string {
  const different = compared.filter(({ same }) => !same).length;
  const moved = compared.reduce((sum, { pods }) => sum + pods.length, 0);
  const written = compared.filter(({ takeover }) => takeover.action !== 'none').length;
  const writes = `${counted(written, 'Endpoints object')} written at the first sync`;
  const services = `${different} of ${counted(compared.length, 'Service')} with other Endpoints`;
  return `Kubernetes ${from} to ${to}: ${services}, ${counted(moved, 'pod')} moved, ${writes}.`;
}
