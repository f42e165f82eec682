# Jobs that work, fail and are retried, a CronJob run by hand and by its timer.
job() {
    cat <<Y
apiVersion: batch/v1
kind: Job
metadata: {name: $1, namespace: batch}
spec:
  completions: $2
  parallelism: 2
  backoffLimit: $3
$5
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 1
      containers: [{name: work, image: clew/workload:1, args: ["--print", "working", "--sleep", "1", "--exit", "$4"]}]
Y
}
scene() {
    deployer create namespace batch
    job good 4 2 0 "  ttlSecondsAfterFinished: 8" | deployer apply -f -
    job bad 1 2 7 "" | alice apply -f -
    cat <<Y | deployer apply -f -
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: batch}
spec:
  schedule: "* * * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers: [{name: report, image: clew/workload:1, args: ["--sleep", "2"]}]
Y
    alice create job report-now --from=cronjob/report -n batch
    admin wait --for=condition=complete job/good job/report-now -n batch --timeout=60s
    # A Job that is suspended, resumed, and deleted while it runs.
    job long 2 0 0 "  suspend: true" | sed 's/"--sleep", "1"/"--sleep", "60"/' | bob apply -f -
    sleep 1
    bob patch job long -n batch -p '{"spec":{"suspend":false}}'
    admin wait --for=condition=failed job/bad -n batch --timeout=60s
    # Until the timer has ticked at least once.
    for _ in $(seq 70); do
        admin get jobs -n batch -o name | grep -q 'report-[0-9]' && break
        sleep 1
    done
    sleep 4
    bob delete job long -n batch
    alice delete cronjob report -n batch
    sleep 4
    alice delete namespace batch
}
