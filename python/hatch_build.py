# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the library and the program into the wheel.

PLAN3D_BUILT=FOLDER takes libplan3d.so and plan3d from there, for PLAN3D_PLATFORM, such as
manylinux_2_17_x86_64 (make wheel); else make builds them for this machine.
"""

import os
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = ("libplan3d.so", "plan3d")


class Hook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version, build_data):
        built = os.environ.get("PLAN3D_BUILT")
        if built is None:
            built = os.path.join(self.root, "build", "release", "alone")
            targets = [os.path.join("build/release/alone", name) for name in FILES]
            jobs = f"-j{os.cpu_count() or 1}"
            subprocess.run(["make", jobs, *targets], cwd=self.root, check=True)
        platform = os.environ.get("PLAN3D_PLATFORM") or sysconfig.get_platform()
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + platform.replace("-", "_").replace(".", "_")
        library, program = (os.path.join(built, name) for name in FILES)
        build_data["force_include"][library] = "plan3d/libplan3d.so"
        build_data["shared_scripts"][program] = "plan3d"
