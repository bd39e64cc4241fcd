/** What the tables of workloads are written in. A row says what a team runs and how it is doing; `generate.ts` makes objects of it. */

/** How a pod is doing. */
export type PodState =
  | 'ready'
  | 'starting'
  | 'crashing'
  | 'terminating'
  | 'evicted'
  | 'completed'
  | 'failed'
  | 'creating'
  | 'unschedulable';

/** Pods that come from one template: the pods of a ReplicaSet, or all of a StatefulSet, DaemonSet or Job. */
export interface Revision {
  /** The pod-template-hash or controller-revision-hash. */
  readonly hash: string;
  readonly image: string;
  /** "name:port", with "/UDP" or "/SCTP" where it is not TCP: "dns:53/UDP". */
  readonly ports?: readonly string[];
  /** Init containers that stay (restartPolicy Always): name to ports. */
  readonly sidecars?: Readonly<Record<string, readonly string[]>>;
  /** A second container beside the main one: name to ports. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** In the order in which the pods are numbered. */
  readonly pods: Readonly<Partial<Record<PodState, number>>>;
}

/** The order of a pod's addresses: "4" and "6" are single-stack. */
export type Families = '4' | '6' | '46' | '64';

export interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job';
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly revisions: readonly Revision[];
  /** Gives pods a hostname in this headless Service's domain. */
  readonly subdomain?: string;
  readonly families?: Families;
  readonly hostNetwork?: boolean;
  /** All its pods on this node. */
  readonly node?: string;
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly pool?: 'worker' | 'edge';
  /** Leaves out what only a reader enjoys: for the workload with over a thousand pods. */
  readonly bare?: boolean;
}

export interface ServicePortRow {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  readonly appProtocol?: string;
  readonly nodePort?: number;
}

/** `spec` as a manifest has it. */
export interface ServiceRow {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
    readonly selector?: Readonly<Record<string, string>>;
    readonly clusterIP?: 'None';
    readonly externalName?: string;
    readonly ipFamilyPolicy?: 'SingleStack' | 'PreferDualStack' | 'RequireDualStack';
    readonly ipFamilies?: readonly ('IPv4' | 'IPv6')[];
    readonly publishNotReadyAddresses?: boolean;
    readonly sessionAffinity?: 'ClientIP';
    readonly externalTrafficPolicy?: 'Local';
    readonly ports?: readonly ServicePortRow[];
  };
}

/** Endpoints that somebody keeps by hand, for a Service without selector. */
export interface HandMadeEndpoints {
  readonly name: string;
  readonly subsets: readonly {
    readonly addresses: readonly { readonly ip: string }[];
    readonly ports: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

export interface NamespaceTable {
  readonly namespace: string;
  readonly services: readonly ServiceRow[];
  readonly workloads: readonly Workload[];
  readonly endpoints?: readonly HandMadeEndpoints[];
}
