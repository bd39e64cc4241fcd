import { resources } from 'kube-endpoints/port';
import { structType } from '../../api-types/index.ts';
import { createFlagReader, type Description, metadataFields } from '../description.ts';
import { child, copyOf, type Draft, ensureChild, entries, type Fields, flag, has, list, sameValue, text, texts } from '../field/read.ts';
import { roundResources } from '../field/resource-list.ts';
import { ageColumn, ageOf, column, nameColumn, wideColumn } from '../table/columns.ts';
import { validateNodeCreate, validateNodeUpdate } from './validate.ts';

/** Mirrors pkg/registry/core/node/strategy.go (1.36) and the admission plugin that taints new nodes. */
export const nodes: Description = {
  resource: resources.nodes,
  singular: 'node',
  shortNames: ['no'],
  type: structType('core.Node'),
  strategy: {
    resetFields: ['status'],
    defaults: defaultNode,
    admit(draft, old) {
      if (!old) taintNotReady(draft);
      return undefined;
    },
    prepareForCreate(draft) {
      dropConfig(draft, {});
    },
    prepareForUpdate(draft, old) {
      draft['status'] = copyOf(old['status']);
      if (!has(child(old, 'spec'), 'configSource')) delete ensureChild(draft, 'spec')['configSource'];
    },
    validate: validateNodeCreate,
    validateUpdate(object, old, causes) {
      validateNodeCreate(object, causes);
      validateNodeUpdate(object, old, causes);
    },
    warnings: (object) => (has(child(object, 'spec'), 'externalID') ? [externalIdWarning] : []),
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  subresources: {
    status: {
      resetFields: ['spec'],
      prepareForUpdate(draft, old) {
        draft['spec'] = copyOf(old['spec']);
        if (!has(child(old, 'status'), 'config')) delete ensureChild(draft, 'status')['config'];
      },
      validateUpdate: validateNodeUpdate,
    },
  },
  selectableFields: { ...metadataFields(false), 'spec.unschedulable': createFlagReader('spec', 'unschedulable') },
  columns: [
    nameColumn,
    column('Status'),
    column('Roles'),
    ageColumn,
    column('Version'),
    ...['Internal-IP', 'External-IP', 'OS-Image', 'Kernel-Version', 'Container-Runtime'].map(wideColumn),
  ],
  cells(object, now) {
    const info = child(child(object, 'status'), 'nodeInfo');
    const infoCell = (name: string): string => text(info, name) || '<unknown>';
    const architecture = text(info, 'architecture');
    return [
      text(child(object, 'metadata'), 'name'),
      statusCell(object),
      rolesCell(object),
      ageOf(object, now),
      text(info, 'kubeletVersion'),
      addressCell(object, 'InternalIP'),
      addressCell(object, 'ExternalIP'),
      infoCell('osImage'),
      `${infoCell('kernelVersion')}${architecture === '' ? '' : ` (${architecture})`}`,
      infoCell('containerRuntimeVersion'),
    ];
  },
};

const externalIdWarning = 'spec.externalID: this field is deprecated, and is unused by Kubernetes';

/** allocatable defaults to capacity; podCIDR and the first of podCIDRs default to each other. */
function defaultNode(draft: Draft): void {
  const status = child(draft, 'status') as Draft;
  for (const name of ['capacity', 'allocatable']) roundResources(child(status, name) as Draft);
  if (!has(status, 'allocatable') && has(status, 'capacity')) status['allocatable'] = copyOf(status['capacity']);
  const spec = child(draft, 'spec') as Draft;
  const [podCIDR, podCIDRs] = [text(spec, 'podCIDR'), texts(spec, 'podCIDRs')];
  if (podCIDR !== '' && podCIDRs[0] !== podCIDR) spec['podCIDRs'] = [podCIDR];
  else if (podCIDR === '' && podCIDRs[0] !== undefined && podCIDRs[0] !== '') spec['podCIDR'] = podCIDRs[0];
}

function dropConfig(draft: Draft, old: Fields): void {
  for (const [parent, name] of [['spec', 'configSource'] as const, ['status', 'config'] as const]) {
    if (!has(child(old, parent), name)) delete (child(draft, parent) as Draft)[name];
  }
}

/** Mirrors plugin/pkg/admission/nodetaint. */
function taintNotReady(draft: Draft): void {
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const spec = ensureChild(draft, 'spec');
  const taints = list(spec, 'taints');
  if (!taints.some(({ key, effect }) => sameValue({ key, effect }, taint))) spec['taints'] = [...taints, taint];
}

function statusCell(object: Fields): string {
  const readyCondition = list(child(object, 'status'), 'conditions').findLast((condition) => text(condition, 'type') === 'Ready');
  const readiness = readyCondition ? (text(readyCondition, 'status') === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return flag(child(object, 'spec'), 'unschedulable') ? `${readiness},SchedulingDisabled` : readiness;
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesCell(object: Fields): string {
  const roles = new Set<string>();
  for (const [key, value] of entries(child(object, 'metadata'), 'labels')) {
    if (key.startsWith(rolePrefix)) roles.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return [...roles].sort().join(',') || '<none>';
}

function addressCell(object: Fields, type: string): string {
  const address = list(child(object, 'status'), 'addresses').find((each) => text(each, 'type') === type);
  return address ? text(address, 'address') : '<none>';
}
