package main

import (
	"context"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/kubernetes/fake"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kube-aggregator/pkg/registry/apiservice"
	_ "k8s.io/kubernetes/pkg/apis/admission/install"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

type allowAll struct{}

func (allowAll) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}

var namespaces = fake.NewSimpleClientset().CoreV1().Namespaces()

// The strategies of the kinds, by group/Kind and group/Kind/subresource.
var strategies = map[string]any{
	"admissionregistration.k8s.io/MutatingAdmissionPolicy":           mutatingadmissionpolicy.NewStrategy(allowAll{}, nil),
	"admissionregistration.k8s.io/MutatingAdmissionPolicyBinding":    mutatingadmissionpolicybinding.NewStrategy(allowAll{}, nil, nil),
	"admissionregistration.k8s.io/ValidatingAdmissionPolicy":         validatingadmissionpolicy.NewStrategy(allowAll{}, nil),
	"admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding":  validatingadmissionpolicybinding.NewStrategy(allowAll{}, nil, nil),
	"apiregistration.k8s.io/APIService":                              apiservice.NewStrategy(aggregator.Scheme),
	"apps/ControllerRevision":                                        controllerrevision.Strategy,
	"apps/DaemonSet":                                                 daemonset.Strategy,
	"apps/DaemonSet/status":                                          daemonset.StatusStrategy,
	"apps/Deployment":                                                deployment.Strategy,
	"apps/Deployment/status":                                         deployment.StatusStrategy,
	"apps/ReplicaSet":                                                replicaset.Strategy,
	"apps/ReplicaSet/status":                                         replicaset.StatusStrategy,
	"apps/StatefulSet":                                               statefulset.Strategy,
	"apps/StatefulSet/status":                                        statefulset.StatusStrategy,
	"autoscaling/HorizontalPodAutoscaler":                            horizontalpodautoscaler.Strategy,
	"autoscaling/HorizontalPodAutoscaler/status":                     horizontalpodautoscaler.StatusStrategy,
	"batch/CronJob":                                                  cronjob.Strategy,
	"batch/CronJob/status":                                           cronjob.StatusStrategy,
	"batch/Job":                                                      job.Strategy,
	"batch/Job/status":                                               job.StatusStrategy,
	"certificates.k8s.io/CertificateSigningRequest":                  certificates.Strategy,
	"certificates.k8s.io/CertificateSigningRequest/status":           certificates.StatusStrategy,
	"certificates.k8s.io/CertificateSigningRequest/approval":         certificates.ApprovalStrategy,
	"flowcontrol.apiserver.k8s.io/FlowSchema":                        flowschema.Strategy,
	"flowcontrol.apiserver.k8s.io/FlowSchema/status":                 flowschema.StatusStrategy,
	"flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration":        prioritylevelconfiguration.Strategy,
	"flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration/status": prioritylevelconfiguration.StatusStrategy,
	"networking.k8s.io/IPAddress":                                    ipaddress.Strategy,
	"networking.k8s.io/Ingress":                                      ingress.Strategy,
	"networking.k8s.io/Ingress/status":                               ingress.StatusStrategy,
	"networking.k8s.io/IngressClass":                                 ingressclass.Strategy,
	"networking.k8s.io/NetworkPolicy":                                networkpolicy.Strategy,
	"networking.k8s.io/ServiceCIDR":                                  servicecidr.Strategy,
	"networking.k8s.io/ServiceCIDR/status":                           servicecidr.StatusStrategy,
	"node.k8s.io/RuntimeClass":                                       runtimeclass.Strategy,
	"policy/PodDisruptionBudget":                                     poddisruptionbudget.Strategy,
	"policy/PodDisruptionBudget/status":                              poddisruptionbudget.StatusStrategy,
	"rbac.authorization.k8s.io/ClusterRole":                          clusterrole.Strategy,
	"rbac.authorization.k8s.io/ClusterRoleBinding":                   clusterrolebinding.Strategy,
	"rbac.authorization.k8s.io/Role":                                 role.Strategy,
	"rbac.authorization.k8s.io/RoleBinding":                          rolebinding.Strategy,
	"resource.k8s.io/DeviceClass":                                    deviceclass.Strategy,
	"resource.k8s.io/ResourceClaim":                                  resourceclaim.NewStrategy(namespaces, allowAll{}),
	"resource.k8s.io/ResourceClaimTemplate":                          resourceclaimtemplate.NewStrategy(namespaces),
	"resource.k8s.io/ResourceSlice":                                  resourceslice.Strategy,
	"scheduling.k8s.io/PriorityClass":                                priorityclass.Strategy,
	"storage.k8s.io/CSIDriver":                                       csidriver.Strategy,
	"storage.k8s.io/CSINode":                                         csinode.Strategy,
	"storage.k8s.io/CSIStorageCapacity":                              csistoragecapacity.Strategy,
	"storage.k8s.io/StorageClass":                                    storageclass.Strategy,
	"storage.k8s.io/VolumeAttachment":                                volumeattachment.Strategy,
	"storage.k8s.io/VolumeAttachment/status":                         volumeattachment.StatusStrategy,
	"storage.k8s.io/VolumeAttributesClass":                           volumeattributesclass.Strategy,
	"/LimitRange":                                                    limitrange.Strategy,
	"/PersistentVolume":                                              persistentvolume.Strategy,
	"/PersistentVolume/status":                                       persistentvolume.StatusStrategy,
	"/PersistentVolumeClaim":                                         persistentvolumeclaim.Strategy,
	"/PersistentVolumeClaim/status":                                  persistentvolumeclaim.StatusStrategy,
	"/Pod":                                                           pod.Strategy,
	"/PodTemplate":                                                   podtemplate.Strategy,
	"/ReplicationController":                                         replicationcontroller.Strategy,
	"/ReplicationController/status":                                  replicationcontroller.StatusStrategy,
	"/ResourceQuota":                                                 resourcequota.Strategy,
	"/ResourceQuota/status":                                          resourcequota.StatusStrategy,
}
