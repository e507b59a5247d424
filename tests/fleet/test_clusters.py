"""Generated configuration: it is what the programs that read it take."""

import re
import subprocess

import pytest
import yaml

from browse.core.errors import BrowseError
from browse.fleet import clusters

HEAD = "tls://10.0.0.5:8786"


def config(kind: str, *, hosts: str = "m1,me@m2", image: str = "registry.example/browse:1") -> str:
    return clusters.written(kind, HEAD, 3, 4, hosts, image).text


@pytest.mark.parametrize("kind", ["ssh", "slurm"])
def test_a_script_is_one_that_the_shell_reads(kind, tmp_path):
    subprocess.run(["bash", "-n"], input=config(kind), text=True, check=True)


def test_ssh_starts_a_worker_on_each_machine(tmp_path):
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\necho "$3: $4"\n')
    ssh.chmod(0o700)

    ran = subprocess.run(
        ["/bin/sh"],
        input=config("ssh"),
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )

    lines = ran.stdout.splitlines()
    assert re.match(rf"m1: nohup browse fleet join {HEAD} --tabs 4 ", lines[0])
    assert lines[1::2] == ["m1: started", "me@m2: started"]


def test_slurm_names_each_worker_of_the_array():
    text = config("slurm")

    assert "#SBATCH --array=1-3\n" in text
    assert '--name "slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"' in text


def test_a_deployment_has_the_keys_as_a_private_file():
    found = yaml.safe_load(config("kubernetes"))

    assert (found["kind"], found["spec"]["replicas"]) == ("Deployment", 3)
    (container,) = found["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "registry.example/browse:1"
    assert container["args"][0].startswith("install -m 600 /keys/keys.pem /tmp/keys.pem && exec")
    assert f"join {HEAD} --tabs 4 --keys /tmp/keys.pem" in container["args"][0]
    volumes = found["spec"]["template"]["spec"]["volumes"]
    assert volumes[0]["secret"] == {"secretName": "browse-fleet-keys"}


@pytest.mark.parametrize("hosts", ["", "m1;reboot", "-oProxyCommand=x", "$(id)"])
def test_what_is_no_machine_is_refused(hosts):
    with pytest.raises(BrowseError, match="names of the machines"):
        config("ssh", hosts=hosts)


def test_what_is_no_image_is_refused():
    with pytest.raises(BrowseError, match="needs an image"):
        config("kubernetes", image="a\n  b: c")


def test_what_is_no_head_is_refused():
    with pytest.raises(BrowseError, match="address of a head"):
        clusters.written("slurm", "tls://x:1; reboot", 1, 1, "", "")
