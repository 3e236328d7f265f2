"""python -m realmctl: runs the binary that this package installed."""
import os, sys, sysconfig

name = "realmctl"
user = "osx_framework_user" if sys.platform == "darwin" and sys._framework else os.name + "_user"
folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", user),
           os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin")]  # pip install --target
for folder in folders:
    path = os.path.join(folder, name)
    if os.path.exists(path):
        os.execv(path, [path] + sys.argv[1:])
sys.exit("realmctl is not in " + " or ".join(folders))
