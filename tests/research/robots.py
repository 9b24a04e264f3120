"""Small robots in the two formats, with what real ones have: turned frames, off-centre masses,
limits, springs, classes, welded parts."""

URDF = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <inertial><mass value="4"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.3 0.3 0.1"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0.02 0.01 0.2" rpy="0.3 0.1 -0.2"/>
      <mass value="2"/>
      <inertia ixx="0.03" iyy="0.028" izz="0.006" ixy="0.001" ixz="-0.002" iyz="0.0015"/>
    </inertial>
    <collision>
      <origin xyz="0 0 0.2"/>
      <geometry><cylinder radius="0.05" length="0.4"/></geometry>
    </collision>
  </link>
  <link name="tool">
    <inertial>
      <origin xyz="0.1 0 0"/>
      <mass value="0.7"/>
      <inertia ixx="0.002" iyy="0.004" izz="0.005" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision><origin xyz="0.1 0 0"/><geometry><sphere radius="0.06"/></geometry></collision>
  </link>
  <link name="tip">
    <inertial>
      <mass value="0.2"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="slider">
    <inertial>
      <mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.4 -0.2 0.7"/><axis xyz="0 1 0"/>
    <limit lower="-1.2" upper="0.4" effort="10" velocity="2"/>
    <dynamics damping="0.05"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="tool"/>
    <origin xyz="0 0 0.4" rpy="0 0.5 0"/><axis xyz="0.6 0 0.8"/>
  </joint>
  <joint name="weld" type="fixed">
    <parent link="tool"/><child link="tip"/><origin xyz="0.2 0.05 0" rpy="0 0 1"/>
  </joint>
  <joint name="rail" type="prismatic">
    <parent link="base"/><child link="slider"/>
    <origin xyz="-0.3 0 0.2" rpy="0 0.6 0"/><axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" effort="1" velocity="1"/>
  </joint>
  <transmission name="t"/>
  <sensor name="eye"/>
</robot>
"""

MJCF = """<mujoco model="figure">
  <compiler angle="degree" eulerseq="xyz"/>
  <default>
    <geom density="800" friction="0.8"/>
    <default class="limb"><joint damping="0.1" range="-40 80"/><geom size="0.04"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" pos="0 0 -3"/>
    <body name="trunk" pos="0 0 1" euler="10 20 -30">
      <freejoint name="root"/>
      <geom type="box" size="0.1 0.2 0.3"/>
      <geom type="ellipsoid" size="0.08 0.1 0.12" pos="0 0 0.4"/>
      <body name="arm" pos="0 0.25 0.2" childclass="limb" axisangle="0 1 0 25">
        <joint name="raise" axis="1 0 0"/>
        <joint name="swing" axis="0 1 0" stiffness="3" springref="15"/>
        <geom type="capsule" fromto="0 0 0 0.05 0.1 -0.4"/>
        <body name="hand" pos="0.05 0.1 -0.4" quat="0.9 0.1 0.3 -0.2">
          <geom type="cylinder" size="0.05 0.06"/>
          <body name="finger" pos="0 0 -0.1">
            <joint name="grip" type="slide" axis="0 0 1" range="-0.05 0.05"/>
            <inertial pos="0.01 0 0" mass="0.1" fullinertia="2e-4 3e-4 2.5e-4 1e-5 2e-5 -1e-5"/>
          </body>
        </body>
      </body>
      <site name="hook" pos="0 -0.3 0"/>
    </body>
    <body name="door" pos="2 0 0">
      <joint name="hinge" axis="0 0 1" pos="-0.3 0 0" range="-20 60"/>
      <geom type="box" size="0.3 0.02 0.5"/>
    </body>
  </worldbody>
  <actuator>
    <position name="servo" joint="grip" kp="5"/><motor name="torque" joint="raise"/>
  </actuator>
  <tendon><fixed name="pull"><joint joint="raise" coef="1"/></fixed></tendon>
  <contact><exclude body1="trunk" body2="arm"/></contact>
  <sensor><jointpos joint="raise"/></sensor>
</mujoco>
"""

MJCF_SWINGING = MJCF.replace('<position name="servo" joint="grip" kp="5"/>', "")
