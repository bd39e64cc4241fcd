import { child, type Fields, list, text, texts } from '../../field/read.ts';
import { aged, nameColumn, named, nameOf, readFields, type TableColumns, textAt, textual } from '../../table/columns.ts';
import { printSelector } from './cells.ts';

export const networkingTables: Readonly<Record<string, TableColumns>> = {
  Ingress: [
    named,
    textAt('Class', 'spec.ingressClassName', '<none>'),
    textual('Hosts', printHosts),
    textual('Address', printAddresses),
    textual('Ports', ({ spec }) => (list(spec as Fields, 'tls').length > 0 ? '80, 443' : '80')),
    aged,
  ],
  IngressClass: [
    {
      ...nameColumn,
      cell(object) {
        const annotations = child(child(object, 'metadata'), 'annotations');
        return `${nameOf(object)}${annotations['ingressclass.kubernetes.io/is-default-class'] === 'true' ? ' (default)' : ''}`;
      },
    },
    textAt('Controller', 'spec.controller'),
    textual('Parameters', (object) => {
      const parameters = readFields(object, 'spec.parameters');
      if (!parameters) return '<none>';
      const group = parameters['apiGroup'];
      return `${text(parameters, 'kind')}${group === undefined ? '' : `.${group}`}/${text(parameters, 'name')}`;
    }),
    aged,
  ],
  IPAddress: [
    named,
    textual('ParentRef', (object) => {
      const parent = readFields(object, 'spec.parentRef');
      if (!parent) return '<none>';
      const [group, resource, namespace] = [text(parent, 'group'), text(parent, 'resource'), text(parent, 'namespace')];
      const qualified = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
      return `${qualified}${namespace === '' ? '' : `/${namespace}`}/${text(parent, 'name')}`;
    }),
    // Upstream's rows include the age, but it declares no column.
    { ...aged, name: '' },
  ],
  NetworkPolicy: [named, textual('Pod-Selector', (object) => printSelector(readFields(object, 'spec.podSelector'))), aged],
  ServiceCIDR: [named, textual('CIDRs', (object) => texts(child(object, 'spec'), 'cidrs').join(',')), aged],
};

const maxHosts = 3;

/** Mirrors formatHosts: rules without a host after the shown ones count as omitted. */
function printHosts({ spec }: Fields): string {
  const rules = list(spec as Fields, 'rules');
  const hosts: string[] = [];
  let hasMore = false;
  for (const rule of rules) {
    if (hosts.length === maxHosts) hasMore = true;
    else if (text(rule, 'host') !== '') hosts.push(text(rule, 'host'));
  }
  if (hosts.length === 0) return '*';
  return hasMore ? `${hosts.join(',')} + ${rules.length - maxHosts} more...` : hosts.join(',');
}

function printAddresses(object: Fields): string {
  const ingresses = list(child(child(object, 'status'), 'loadBalancer'), 'ingress');
  const addresses = ingresses.map((ingress) => text(ingress, 'ip') || text(ingress, 'hostname')).filter((address) => address !== '');
  return [...new Set(addresses)].sort().join(',');
}
