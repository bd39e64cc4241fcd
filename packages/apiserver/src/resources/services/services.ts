import { resources } from 'kube-endpoints/port';
import type { Description } from '../description.ts';
import { child, copyOf, draftOf, entries, type Fields, list, number, text, texts } from '../field/read.ts';
import { metadataFields, textIn } from '../field/selectable.ts';
import { structType } from '../schema/index.ts';
import { ageOf } from '../table/age.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../table/columns.ts';
import { defaultService } from './defaults.ts';
import { dropTypeDependentFields } from './drop.ts';
import { validateServiceCreate, validateServiceStatus, validateServiceUpdate } from './validate.ts';
import { warningsOfService } from './warnings.ts';

/**
 * Services but for what is allocated to them: cluster IPs, their families and node ports are given out, and checked, before what is
 * here. Mirrors pkg/registry/core/service/strategy.go (1.36).
 */
export const services: Description = {
  resource: resources.services,
  singular: 'service',
  shortNames: ['svc'],
  categories: ['all'],
  type: structType('core.Service'),
  strategy: {
    resetFields: ['status'],
    defaults: defaultService,
    prepareForCreate(draft) {
      delete draft['status'];
    },
    prepareForUpdate(draft, old) {
      draft['status'] = copyOf(old['status']);
      dropTypeDependentFields(draft, old);
    },
    canonicalize(draft) {
      if (text(child(draft, 'spec'), 'type') === 'ExternalName') delete draftOf(draft, 'spec')['internalTrafficPolicy'];
    },
    validate: validateServiceCreate,
    validateUpdate: validateServiceUpdate,
    warnings: warningsOfService,
    createOnUpdate: true,
    unconditionalUpdate: true,
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      prepareForUpdate(draft, old) {
        draft['spec'] = copyOf(old['spec']);
      },
      validateUpdate: validateServiceStatus,
    },
  },
  selectableFields: { ...metadataFields(true), 'spec.clusterIP': textIn('spec', 'clusterIP'), 'spec.type': textIn('spec', 'type') },
  columns: [nameColumn, column('Type'), column('Cluster-IP'), column('External-IP'), column('Port(s)'), ageColumn, wideColumn('Selector')],
  cells(object, now) {
    const spec = child(object, 'spec');
    return [
      text(child(object, 'metadata'), 'name'),
      text(spec, 'type'),
      texts(spec, 'clusterIPs')[0] ?? '<none>',
      externalIPs(object),
      list(spec, 'ports').map(portCell).join(',') || '<none>',
      ageOf(object, now),
      selectorCell(spec),
    ];
  },
};

const portCell = (port: Fields): string => {
  const nodePort = number(port, 'nodePort');
  return `${number(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${text(port, 'protocol')}`;
};

const selectorCell = (spec: Fields): string =>
  entries(spec, 'selector')
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',') || '<none>';

/** Mirrors getServiceExternalIP (pkg/printers/internalversion, 1.36). */
function externalIPs(object: Fields): string {
  const spec = child(object, 'spec');
  const own = texts(spec, 'externalIPs');
  switch (text(spec, 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer': {
      const ingress = list(child(child(object, 'status'), 'loadBalancer'), 'ingress');
      const given = new Set(ingress.map((each) => text(each, 'ip') || text(each, 'hostname')).filter((each) => each !== ''));
      return [...[...given].sort(), ...own].join(',') || '<pending>';
    }
    case 'ExternalName':
      return text(spec, 'externalName');
    default:
      return '<unknown>';
  }
}
