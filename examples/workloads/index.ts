import { batch } from './batch.ts';
import { data } from './data.ts';
import { edge } from './edge.ts';
import { fulfilment } from './fulfilment.ts';
import { identity } from './identity.ts';
import { kubeSystem } from './kube-system.ts';
import type { NamespaceTable } from './model.ts';
import { monitoring } from './monitoring.ts';
import { payments } from './payments.ts';
import { shop } from './shop.ts';

/** The whole cluster, in the order in which it is generated. */
export const NAMESPACES: readonly NamespaceTable[] = [kubeSystem, shop, payments, fulfilment, identity, data, batch, monitoring, edge];
