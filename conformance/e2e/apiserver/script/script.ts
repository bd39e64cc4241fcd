import type { Topic } from '../compare/step.ts';
import { access } from './access.ts';
import { admissionPolicies } from './admission-policies.ts';
import { badRequests } from './bad-requests.ts';
import { configMapsAndSecrets } from './config-maps-and-secrets.ts';
import { contentTypes } from './content-types.ts';
import { conversionWebhooks } from './conversion-webhooks.ts';
import { customResourceDefinitions } from './custom-resource-definitions.ts';
import { customResources } from './custom-resources.ts';
import { deletes } from './deletes.ts';
import { discovery } from './discovery.ts';
import { dryRun } from './dry-run.ts';
import { endpointsAndSlices } from './endpoints.ts';
import { events } from './events.ts';
import { fieldValidation } from './field-validation.ts';
import { largeIntegers } from './large-integers.ts';
import { leases } from './leases.ts';
import { lists } from './lists.ts';
import { namespaces } from './namespaces.ts';
import { nodes } from './nodes.ts';
import { patches } from './patches.ts';
import { pods } from './pods.ts';
import { representations } from './representations.ts';
import { rulesInCel } from './rules.ts';
import { selectors } from './selectors.ts';
import { serverSideApply } from './server-side-apply.ts';
import { services } from './services.ts';
import { servicesDualStack } from './services-dual-stack.ts';
import { tables } from './tables.ts';
import { watches } from './watches.ts';
import { webhooks } from './webhooks.ts';

/** All topics in order: those that use custom resources follow the one that defines them. */
export const script: readonly Topic[] = [
  access,
  namespaces,
  services,
  servicesDualStack,
  pods,
  endpointsAndSlices,
  nodes,
  events,
  configMapsAndSecrets,
  leases,
  webhooks,
  customResourceDefinitions,
  customResources,
  conversionWebhooks,
  largeIntegers,
  representations,
  rulesInCel,
  admissionPolicies,
  patches,
  serverSideApply,
  fieldValidation,
  dryRun,
  lists,
  selectors,
  watches,
  deletes,
  tables,
  contentTypes,
  badRequests,
  discovery,
];
