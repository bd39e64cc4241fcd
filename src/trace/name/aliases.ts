import { objectKey } from '../../apimachinery/index.ts';
import { type DnsConfig, type DnsRecord, parseName } from '../../dns/index.ts';
import type { Cluster } from '../cluster.ts';
import { note } from '../note.ts';
import type { TraceService } from '../objects.ts';
import type { TraceNote } from '../trace.ts';

const path = 'service.spec.externalName';

/** Why a Service that is another name leads nowhere, where other Services that are lead back to it. */
export function loopNote(service: TraceService, cluster: Cluster, config: DnsConfig): TraceNote | undefined {
  const passed = [objectKey(service)];
  for (let next = aliased(service, cluster, config); next; next = aliased(next, cluster, config)) {
    const key = objectKey(next);
    const isBack = passed.includes(key);
    passed.push(key);
    // one that is another name for itself has a reason of its own
    if (isBack && passed.length === 2) return undefined;
    if (isBack) return note('ExternalNamesLoop', { services: passed.join(', ') }, path);
  }
  return undefined;
}

/** The Service whose name is the external name of another. */
function aliased({ spec }: TraceService, cluster: Cluster, config: DnsConfig): TraceService | undefined {
  if (spec?.type !== 'ExternalName') return undefined;
  const { namespace = '', service = '' } = parseName(`${(spec.externalName ?? '').replace(/\.$/, '')}.`, config).request ?? {};
  return cluster.service(namespace, service);
}

/** Why the answer leads nowhere, where it is another name at which the way ends. */
export function deadEndNote(records: readonly DnsRecord[]): TraceNote | undefined {
  const last = records.findLast(({ type }) => type === 'CNAME');
  if (last?.type !== 'CNAME') return undefined;
  const target = last.target.replace(/\.$/, '');
  const values = { name: last.name, target: target === '' ? 'nothing' : target };
  return note(isName(target) ? 'AliasHasNoAddress' : 'AliasIsNoName', values, path);
}

const isName = (name: string): boolean => name.length <= 253 && name.split('.').every(({ length }) => length >= 1 && length <= 63);
