import { parseApiVersion } from 'kube-endpoints/internal/apimachinery';
import type { Resource } from 'kube-endpoints/port';
import { dns1123Subdomain, type Format, pathSegment } from '../../formats/names.ts';
import { strictIP } from '../field/addresses.ts';

/** A built-in resource whose strategy is generic: what differs between resources, as of Kubernetes 1.36. */
export interface KindRow {
  readonly resource: Resource;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Validates names. */
  readonly name: Format;
  /** The field whose changes increment the generation; undefined if the resource has no generation. */
  readonly generationOf?: string;
  /** The fields that a write of the status cannot change; undefined if the resource has no status subresource. */
  readonly statusResets?: readonly string[];
  /** Whether a PUT creates a missing object. */
  readonly createOnUpdate: boolean;
  /** Whether an update may omit the resourceVersion. */
  readonly unconditionalUpdate: boolean;
}

/**
 * One resource per line: apiVersion, kind, plural, and options. `cluster`: not namespaced. `short=`, `categories=`. `generation`: changes of
 * the spec increment the generation, or of another field with `generation=`. `status`: has a status subresource that resets the spec, or
 * other fields with `status=`. `put`: a PUT creates a missing object. `conditional`: an update needs a resourceVersion.
 * `path`: the name only has to be a path segment. `ip`: the name is a canonical IP.
 *
 * Mirrors the strategies in pkg/registry (1.36).
 */
const table = `
admissionregistration.k8s.io/v1 MutatingAdmissionPolicy mutatingadmissionpolicies cluster categories=api-extensions generation conditional
admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding mutatingadmissionpolicybindings cluster categories=api-extensions generation conditional
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies cluster categories=api-extensions generation status=spec,metadata conditional
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings cluster categories=api-extensions generation conditional
apiregistration.k8s.io/v1 APIService apiservices cluster categories=api-extensions status=spec,metadata conditional
authentication.k8s.io/v1 SelfSubjectReview selfsubjectreviews cluster
authentication.k8s.io/v1 TokenReview tokenreviews cluster
authorization.k8s.io/v1 LocalSubjectAccessReview localsubjectaccessreviews
authorization.k8s.io/v1 SelfSubjectAccessReview selfsubjectaccessreviews cluster
authorization.k8s.io/v1 SelfSubjectRulesReview selfsubjectrulesreviews cluster
authorization.k8s.io/v1 SubjectAccessReview subjectaccessreviews cluster
apps/v1 ControllerRevision controllerrevisions
apps/v1 DaemonSet daemonsets short=ds categories=all generation status
apps/v1 Deployment deployments short=deploy categories=all generation status=spec,metadata.labels
apps/v1 ReplicaSet replicasets short=rs categories=all generation status
apps/v1 StatefulSet statefulsets short=sts categories=all generation status
autoscaling/v1 HorizontalPodAutoscaler horizontalpodautoscalers short=hpa categories=all status
autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers short=hpa categories=all status
batch/v1 CronJob cronjobs short=cj categories=all generation status
batch/v1 Job jobs categories=all generation status
certificates.k8s.io/v1 CertificateSigningRequest certificatesigningrequests cluster short=csr status=spec,status.conditions
flowcontrol.apiserver.k8s.io/v1 FlowSchema flowschemas cluster generation status=metadata,spec
flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration prioritylevelconfigurations cluster generation status=metadata,spec
networking.k8s.io/v1 IPAddress ipaddresses cluster short=ip ip
networking.k8s.io/v1 Ingress ingresses short=ing generation status
networking.k8s.io/v1 IngressClass ingressclasses cluster generation
networking.k8s.io/v1 NetworkPolicy networkpolicies short=netpol generation
networking.k8s.io/v1 ServiceCIDR servicecidrs cluster status=metadata,spec
node.k8s.io/v1 RuntimeClass runtimeclasses cluster put conditional
policy/v1 PodDisruptionBudget poddisruptionbudgets short=pdb generation status conditional
rbac.authorization.k8s.io/v1 ClusterRole clusterroles cluster put path
rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings cluster put path
rbac.authorization.k8s.io/v1 Role roles put path
rbac.authorization.k8s.io/v1 RoleBinding rolebindings put path
resource.k8s.io/v1 DeviceClass deviceclasses cluster generation
resource.k8s.io/v1 ResourceClaim resourceclaims status=metadata,spec
resource.k8s.io/v1 ResourceClaimTemplate resourceclaimtemplates
resource.k8s.io/v1 ResourceSlice resourceslices cluster generation
scheduling.k8s.io/v1 PriorityClass priorityclasses cluster short=pc generation=value
storage.k8s.io/v1 CSIDriver csidrivers cluster conditional
storage.k8s.io/v1 CSINode csinodes cluster conditional
storage.k8s.io/v1 CSIStorageCapacity csistoragecapacities conditional
storage.k8s.io/v1 StorageClass storageclasses cluster short=sc
storage.k8s.io/v1 VolumeAttachment volumeattachments cluster status=metadata,spec conditional
storage.k8s.io/v1 VolumeAttributesClass volumeattributesclasses cluster short=vac
v1 ComponentStatus componentstatuses cluster short=cs
v1 LimitRange limitranges short=limits put
v1 PersistentVolume persistentvolumes cluster short=pv status
v1 PersistentVolumeClaim persistentvolumeclaims short=pvc status
v1 PodTemplate podtemplates generation=template
v1 ReplicationController replicationcontrollers short=rc categories=all generation status
v1 ResourceQuota resourcequotas short=quota status
`;

/** The rows of all resources with a generic strategy. */
export const kindRows: readonly KindRow[] = table.trim().split('\n').map(parseRow);

function parseRow(line: string): KindRow {
  const [apiVersion = '', kind = '', plural = '', ...words] = line.split(' ');
  const options = new Map(words.map((word) => word.split('=') as [string, string | undefined]));
  const valuesOf = (name: string): readonly string[] => options.get(name)?.split(',') ?? [];
  const generationOf = options.has('generation') ? (options.get('generation') ?? 'spec') : undefined;
  return {
    resource: { ...parseApiVersion(apiVersion), plural, kind, namespaced: !options.has('cluster') },
    shortNames: valuesOf('short'),
    categories: valuesOf('categories'),
    name: options.has('path') ? pathSegment : options.has('ip') ? strictIP : dns1123Subdomain,
    ...(generationOf !== undefined && { generationOf }),
    ...(options.has('status') && { statusResets: options.get('status') === undefined ? ['spec'] : valuesOf('status') }),
    createOnUpdate: options.has('put'),
    unconditionalUpdate: !options.has('conditional'),
  };
}
