/** The types of Pods without containers and volumes (Kubernetes 1.36); type-text.ts describes the notation. */
export const podTypes = `
Affinity
  nodeAffinity:*NodeAffinity podAffinity:*PodAffinity podAntiAffinity:*PodAntiAffinity
HostAlias
  hostnames:[]s ip:s=""
HostIP
  ip:s
NodeAffinity
  preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm requiredDuringSchedulingIgnoredDuringExecution:*NodeSelector
NodeAllocatableResourceClaimStatus
  containers:[set]s resourceClaimName:s resources:{}u
NodeSelector atomic
  nodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorRequirement
  key:s operator:s values:[]s
NodeSelectorTerm atomic
  matchExpressions:[]NodeSelectorRequirement matchFields:[]NodeSelectorRequirement
Pod
  apiVersion:s kind:s metadata:ObjectMeta spec:PodSpec status:PodStatus
PodAffinity
  preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
PodAffinityTerm
  labelSelector:*LabelSelector matchLabelKeys:[]s mismatchLabelKeys:[]s namespaceSelector:*LabelSelector namespaces:[]s topologyKey:s
PodAntiAffinity
  preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
PodCondition
  lastProbeTime:u lastTransitionTime:u message:s observedGeneration:n reason:s status:s type:s=""
PodDNSConfig
  nameservers:[]s options:[]PodDNSConfigOption searches:[]s
PodDNSConfigOption
  name:s value:s
PodExtendedResourceClaimStatus
  requestMappings:[]ContainerExtendedResourceRequest resourceClaimName:s
PodIP
  ip:s=""
PodOS
  name:s
PodReadinessGate
  conditionType:s
PodResourceClaim
  name:s="" resourceClaimName:s resourceClaimTemplateName:s
PodResourceClaimStatus
  name:s="" resourceClaimName:s
PodSchedulingGate
  name:s=""
PodSchedulingGroup
  podGroupName:s
PodSecurityContext
  appArmorProfile:*AppArmorProfile fsGroup:n fsGroupChangePolicy:s runAsGroup:n runAsNonRoot:b runAsUser:n seLinuxChangePolicy:s
  seLinuxOptions:*SELinuxOptions seccompProfile:*SeccompProfile supplementalGroups:[]n supplementalGroupsPolicy:s sysctls:[]Sysctl
  windowsOptions:*WindowsSecurityContextOptions
PodSpec
  activeDeadlineSeconds:n affinity:*Affinity automountServiceAccountToken:b containers:[name]Container|merge|name
  dnsConfig:*PodDNSConfig dnsPolicy:s enableServiceLinks:b ephemeralContainers:[name]EphemeralContainer|merge|name
  hostAliases:[ip]HostAlias|merge|ip hostIPC:b hostNetwork:b hostPID:b hostUsers:b hostname:s hostnameOverride:s
  imagePullSecrets:[name]LocalObjectReference|merge|name initContainers:[name]Container|merge|name nodeName:s nodeSelector:{!}s
  os:*PodOS overhead:{}u preemptionPolicy:s priority:n priorityClassName:s readinessGates:[]PodReadinessGate
  resourceClaims:[name]PodResourceClaim|merge,retainKeys|name resources:*ResourceRequirements restartPolicy:s runtimeClassName:s
  schedulerName:s schedulingGates:[name]PodSchedulingGate|merge|name schedulingGroup:*PodSchedulingGroup
  securityContext:*PodSecurityContext serviceAccount:s serviceAccountName:s setHostnameAsFQDN:b shareProcessNamespace:b subdomain:s
  terminationGracePeriodSeconds:n tolerations:[]Toleration
  topologySpreadConstraints:[topologyKey,whenUnsatisfiable]TopologySpreadConstraint|merge|topologyKey
  volumes:[name]Volume|merge,retainKeys|name
PodStatus
  allocatedResources:{}u conditions:[type]PodCondition|merge|type containerStatuses:[]ContainerStatus
  ephemeralContainerStatuses:[]ContainerStatus extendedResourceClaimStatus:*PodExtendedResourceClaimStatus hostIP:s
  hostIPs:[]HostIP|merge|ip initContainerStatuses:[]ContainerStatus message:s
  nodeAllocatableResourceClaimStatuses:[]NodeAllocatableResourceClaimStatus nominatedNodeName:s observedGeneration:n phase:s podIP:s
  podIPs:[ip]PodIP|merge|ip qosClass:s reason:s resize:s resourceClaimStatuses:[name]PodResourceClaimStatus|merge,retainKeys|name
  resources:*ResourceRequirements startTime:u
PreferredSchedulingTerm
  preference:NodeSelectorTerm weight:n
SessionAffinityConfig
  clientIP:*ClientIPConfig
Sysctl
  name:s value:s
Toleration
  effect:s key:s operator:s tolerationSeconds:n value:s
TopologySpreadConstraint
  labelSelector:*LabelSelector matchLabelKeys:[]s maxSkew:n minDomains:n nodeAffinityPolicy:s nodeTaintsPolicy:s topologyKey:s=""
  whenUnsatisfiable:s=""
WeightedPodAffinityTerm
  podAffinityTerm:PodAffinityTerm weight:n
`;
