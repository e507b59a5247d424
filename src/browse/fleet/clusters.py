"""What starts workers on many machines: a script for ssh, a job of SLURM, a Deployment.

Each starts `browse fleet join`, so a worker has its daemon and its keys wherever it runs.
"""

import re
import shlex

from browse.core.errors import Usage
from browse.registry.results import Text

_ADDRESS = re.compile(r"tls://(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):[0-9]{1,5}")
_HOST = re.compile(r"(?:[A-Za-z0-9_-]+@)?[A-Za-z0-9][A-Za-z0-9.-]*")
_IMAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:@-]*")

SSH = """#!/bin/sh
# Starts a worker on each machine, which goes on when this script has ended.
# Before: on the head `browse fleet keys <machine>`, and what it says about copying.
set -eu
for machine in {hosts}; do
  ssh -o BatchMode=yes "$machine" \\
    'nohup browse fleet join {address} --tabs {tabs} >.browse-worker.log 2>&1 </dev/null &'
  echo "$machine: started"
done
"""

SLURM = """#!/bin/bash
#SBATCH --job-name=browse-fleet
#SBATCH --array=1-{workers}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={tabs}
#SBATCH --mem={megabytes}M
#SBATCH --signal=B:TERM@60
# The home folder is on all nodes, so the keys of the head serve: browse fleet keys
exec browse fleet join {address} --tabs {tabs} \\
  --name "slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"
"""

KUBERNETES = """# Before: browse fleet keys kubernetes
#   kubectl create secret generic browse-fleet-keys --from-file=keys.pem=keys-kubernetes.pem
apiVersion: apps/v1
kind: Deployment
metadata:
  name: browse-fleet
spec:
  replicas: {workers}
  selector:
    matchLabels: {{app: browse-fleet}}
  template:
    metadata:
      labels: {{app: browse-fleet}}
    spec:
      terminationGracePeriodSeconds: 60
      containers:
        - name: worker
          image: {image}
          command: ["/bin/sh", "-c"]
          args:
            - install -m 600 /keys/keys.pem /tmp/keys.pem &&
              exec browse fleet join {address} --tabs {tabs} --keys /tmp/keys.pem
          resources:
            requests: {{cpu: "{tabs}", memory: "{megabytes}Mi"}}
          volumeMounts:
            - {{name: keys, mountPath: /keys, readOnly: true}}
            - {{name: shm, mountPath: /dev/shm}}
      volumes:
        - name: keys
          secret: {{secretName: browse-fleet-keys}}
        - name: shm
          emptyDir: {{medium: Memory}}
"""
TEMPLATES = {"ssh": SSH, "slurm": SLURM, "kubernetes": KUBERNETES}
# What Chromium, the driver and the daemon take, and what each open page adds.
BASE_MB, TAB_MB = 500, 250


def written(kind: str, address: str, workers: int, tabs: int, hosts: str, image: str) -> Text:
    """Write the configuration for a kind of cluster."""
    if not _ADDRESS.fullmatch(address):
        raise Usage(f"{address[:60]!r} is not the address of a head", hint="tls://10.0.0.5:8786")
    machines = [it.strip() for it in hosts.split(",") if it.strip()]
    if kind == "ssh" and not (machines and all(map(_HOST.fullmatch, machines))):
        raise Usage("ssh needs the names of the machines", hint="--hosts m1,m2,m3")
    if kind == "kubernetes" and not _IMAGE.fullmatch(image):
        raise Usage("kubernetes needs an image", hint="--image registry.example/browse:1")
    text = TEMPLATES[kind].format(
        address=address,
        workers=workers,
        tabs=tabs,
        megabytes=BASE_MB + tabs * TAB_MB,
        hosts=shlex.join(machines),
        image=image,
    )
    data = {"ok": True, "kind": kind, "workers": len(machines) or workers, "config": text}
    return Text(text.rstrip("\n"), data)
