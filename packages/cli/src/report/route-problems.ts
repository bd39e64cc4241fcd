import { findRouteProblems, gatewayReasons } from 'kube-endpoints/gateway';
import type { Inventory } from '../input/collection.ts';
import type { Style } from '../print/style.ts';
import { formatField } from './format-diagnosis.ts';
import { toGatewayObjects } from './routes.ts';

/** What is wrong with an Ingress, a Gateway or a route, whatever the request. */
export interface RouteProblem {
  readonly code: string;
  /** "HTTPRoute shop/web" */
  readonly object: string;
  readonly path?: string;
  readonly message: string;
  readonly fix: { readonly text: string; readonly command: string };
}

/**
 * Finds what is wrong with the Ingresses, Gateways and routes of a namespace, or of all.
 * @param isWhole whether absent objects do not exist
 */
export function listRouteProblems(inventory: Inventory, namespace: string | undefined, isWhole: boolean): RouteProblem[] {
  return findRouteProblems(toGatewayObjects(inventory, isWhole)).flatMap(({ code, message, object, path, remedy = '' }) => {
    if (gatewayReasons[code].verdict !== 'error' || !object || (namespace !== undefined && object.namespace !== namespace)) return [];
    const scope = object.namespace === undefined ? '' : `-n ${object.namespace} `;
    const name = object.namespace === undefined ? object.name : `${object.namespace}/${object.name}`;
    return [
      {
        code,
        object: `${object.kind} ${name}`,
        ...(path !== undefined && { path }),
        message,
        fix: { text: remedy, command: `kubectl ${scope}edit ${object.kind.toLowerCase()} ${object.name}` },
      },
    ];
  });
}

/** Formats a problem as the lines of `explain --problems` for a Service. */
export const formatRouteProblem = ({ code, object, message, fix }: RouteProblem, style: Style): string[] => [
  `${style.paint('broken', 'red')} ${style.paint(object, 'bold')}`,
  ...formatField('Cause', `${code}: ${message}`, style, 'red'),
  ...formatField('Fix', fix.text, style, 'cyan'),
  ...formatField('', fix.command, { ...style, width: undefined }),
];
