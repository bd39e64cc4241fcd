import { checkPort } from '../check.ts';
import type { NodeView, ServicePortView } from '../view.ts';
import type { IptablesChain } from './model.ts';
import { createChainNames } from './names.ts';
import { portChains } from './port-chains.ts';
import { type PortalRule, portalRules } from './portal-rules.ts';
import type { Settings } from './settings.ts';
import { trafficOf } from './traffic.ts';

/** What a port of a Service adds to a node's rules. */
export interface PortRules {
  readonly portals: readonly PortalRule[];
  /** Chains of the table nat that are the port's alone. */
  readonly chains: readonly IptablesChain[];
}

/** Makes the rules of one port after the other. Throws a RangeError for one that no rules can be made of. */
export type PortRuler = (port: ServicePortView, large: boolean) => PortRules;

export function createPortRuler(settings: Settings): PortRuler {
  const chainsOf = createChainNames();
  return (port, large) => {
    checkPort(port);
    const traffic = trafficOf(port, chainsOf(port.name, port.protocol));
    return { portals: portalRules(port, traffic), chains: portChains(port, traffic, settings, large) };
  };
}

/** From so many endpoints on their rules go without comments, which are much of the rules' size. Mirrors `largeClusterMode`. */
export const isLarge = (endpoints: number): boolean => endpoints > 1000;

/** How many endpoints there are, of use or not. */
export const countEndpoints = (ports: NodeView['ports']): number => ports.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
