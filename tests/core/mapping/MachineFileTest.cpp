// dash-test: serial
// Machines from topology files, and errors for invalid files.

#include "dash/core/mapping/MachineFile.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "dash/Exception.h"
#include "dash/core/mapping/Machine.h"
#include "support/Catch.h"

using namespace dash::core::mapping;
using dash::exception::InvalidArgument;

namespace {

using Names = std::vector<std::string>;

/// Names of the nodes, in network order.
Names along_network(const Machine& machine) {
  Names names(machine.num_nodes());
  for (std::uint32_t i = 0; i < machine.num_nodes(); ++i)
    names[machine.network_order()[i]] = machine.node(i).name;
  return names;
}

/// \param part  of the error message; "the.file:<line>: '<value>': expected ..." if there is a line
void check_rejected(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_THROWS_WITH(parse_machine(text, "the.file"), Catch::Matchers::ContainsSubstring(part));
  CHECK_THROWS_AS(parse_machine(text, "the.file"), InvalidArgument);
}

void check_list_rejected(const std::string& list, const std::string& part) {
  CHECK_THROWS_WITH(expand_hostlist(list),
                    Catch::Matchers::StartsWith("'" + list + "': expected a list of hosts") &&
                        Catch::Matchers::ContainsSubstring(part));
}

const Switch& switch_named(const Machine& machine, const std::string& name) {
  const auto index = machine.find_switch(name);
  REQUIRE(index.has_value());
  return machine.switches()[*index];
}

const std::string slurm = R"(# Two racks
switchname=edge2 Nodes=n[09-11],login
SwitchName=edge1 \
    Nodes=n[01-02]   # the first
SwitchName=top Switches=edge[1-2]
)";

}  // namespace

TEST_CASE("Host lists are expanded", "[HostList]") {
  CHECK(expand_hostlist("n1") == Names{"n1"});
  CHECK(expand_hostlist("n[001-003,7],login") == Names{"n001", "n002", "n003", "n7", "login"});
  CHECK(expand_hostlist("n[8-11]") == Names{"n8", "n9", "n10", "n11"});
  CHECK(expand_hostlist("n[098-101]") == Names{"n098", "n099", "n100", "n101"});
  CHECK(expand_hostlist("r[1-2]n[0,2]x") == Names{"r1n0x", "r1n2x", "r2n0x", "r2n2x"});
  CHECK(expand_hostlist("a,b[3],c") == Names{"a", "b3", "c"});
}

TEST_CASE("Invalid host lists are rejected", "[HostList]") {
  check_list_rejected("n[1-", "'[' without ']'");
  check_list_rejected("n1]", "']' without '['");
  check_list_rejected("n[3-1]", "'3-1' ends before it begins");
  check_list_rejected("n[a-b]", "'a-b' is neither a number nor two");
  check_list_rejected("n[1,]", "'' is neither a number");
  check_list_rejected("n[-1]", "'-1' is neither");
  check_list_rejected("a,,b", "a name is missing");
  check_list_rejected("", "a name is missing");
  check_list_rejected("n[0-4000000000]", "too long");
  check_list_rejected("n[0-99999][0-99999]", "too long");
  check_list_rejected("n[1-99999999999]", "neither");
}

TEST_CASE("A machine with switches is read from the library's format", "[MachineFile]") {
  const Machine machine = parse_machine(R"(dash-topology 1   # and a comment
levels leaf spine
bandwidth numa=80 node=12.5
switch spine
switch leaf[0-1] in=spine bandwidth=50
node n[0-3] in=leaf[0-1] cores=8 numa=2
node big in=leaf0 cores=64 numa=4
)",
                                        "a.topology");
  REQUIRE(machine.num_nodes() == 5);
  CHECK_FALSE(machine.is_torus());
  CHECK(machine.num_switch_levels() == 2);
  CHECK(machine.level_name(1) == "leaf");
  CHECK(machine.level_name(2) == "spine");
  CHECK(machine.numa_bandwidth() == 80);
  CHECK(machine.node_bandwidth() == 12.5);
  CHECK(switch_named(machine, "leaf1").bandwidth == 50);
  CHECK(switch_named(machine, "leaf1").parent == machine.find_switch("spine"));
  CHECK(along_network(machine) == Names{"n0", "n1", "big", "n2", "n3"});
  const auto big = machine.find("big.example.org");
  REQUIRE(big.has_value());
  CHECK(machine.node(*big).cores == 64);
  CHECK(machine.node(*big).numa == 4);
  CHECK_FALSE(machine.find("n4").has_value());
}

TEST_CASE("A node is found by host name if only one of two names has a domain", "[MachineFile]") {
  const Machine machine = parse_machine(
      "dash-topology 1\nswitch s\nnode n1 in=s\nnode n2.east in=s\nnode n1:1 in=s\n"
      "node n3.east in=s\nnode n3.west in=s\nnode n2.east:1 in=s\n",
      "a");
  CHECK(machine.find("n1") == 0U);
  CHECK(machine.find("n1.east") == 0U);
  CHECK(machine.find("n2") == 1U);
  CHECK(machine.find("n2.east") == 1U);
  CHECK(machine.find("n1.east:1") == 2U);  // not the first one of that host
  CHECK(machine.find("n2:1") == 5U);
  CHECK_FALSE(machine.find("n1.east:2").has_value());
  CHECK_FALSE(machine.find("n2.west").has_value());
  CHECK_FALSE(machine.find("n3").has_value());  // ambiguous domain
  CHECK(machine.find("n3.west") == 4U);
}

TEST_CASE("Switches without a bandwidth get half of the sum of their children", "[MachineFile]") {
  const Machine machine = parse_machine(
      "dash-topology 1\nbandwidth node=10\nswitch top\nswitch s[0-1] in=top\nswitch e[0-3] "
      "in=s[0-1]\n"
      "node n[0-15] in=e[0-3]\n",
      "a");
  CHECK(switch_named(machine, "e2").bandwidth == 20);
  CHECK(switch_named(machine, "s0").bandwidth == 20);
}

TEST_CASE("A torus is read from the library's format", "[MachineFile]") {
  const Machine machine = parse_machine(
      "dash-topology 1\ntorus 4x2 periodic=yes,no bandwidth=9,4\nnode a[0-7] at=0,0 per-router=2\n"
      "node b at=3,1 cores=4\n",
      "a");
  REQUIRE(machine.is_torus());
  CHECK(machine.torus().extents == std::vector<std::uint32_t>{4, 2});
  CHECK(machine.torus().periodic == std::vector<bool>{true, false});
  CHECK(machine.torus().bandwidth == std::vector<double>{9, 4});
  CHECK(machine.node(0).attachment == 0);
  CHECK(machine.node(7).attachment == 3);
  CHECK(machine.node(*machine.find("b")).attachment == 7);
  // Along a Hilbert curve: from one end of the longer dimension to the other.
  CHECK(along_network(machine) == Names{"a0", "a1", "a2", "a3", "a6", "a7", "a4", "a5", "b"});
}

TEST_CASE("Slurm's topology.conf is read", "[MachineFile]") {
  const Machine machine = parse_machine(slurm, "topology.conf");
  CHECK(along_network(machine) == Names{"n01", "n02", "n09", "n10", "n11", "login"});
  CHECK(machine.num_switch_levels() == 2);
  CHECK(switch_named(machine, "edge1").level == 1);
  CHECK(switch_named(machine, "top").level == 2);
  CHECK(machine.node(0).cores == 0);
}

TEST_CASE("Slurm's switch trees of any depth, several roots, and blocks are read",
          "[MachineFile]") {
  const Machine deep = parse_machine(
      "SwitchName=a Nodes=n[1-2]\nSwitchName=m Switches=a LinkSpeed=100\nSwitchName=t "
      "Switches=m,b\n"
      "SwitchName=b Nodes=n3\nSwitchName=alone Nodes=n4\n",
      "topology.conf");
  CHECK(deep.num_switch_levels() == 4);
  CHECK(switch_named(deep, "m").bandwidth == 100);
  CHECK(switch_named(deep, "t").parent == deep.find_switch("network"));
  CHECK(along_network(deep) == Names{"n1", "n2", "n3", "n4"});
  const Machine blocks =
      parse_machine("BlockName=b1 Nodes=n[01-02]\nBlockName=b2 Nodes=n[03-04]\nBlockSizes=2,4\n",
                    "topology.conf");
  CHECK(blocks.num_nodes() == 4);
  CHECK(blocks.num_switch_levels() == 2);
}

TEST_CASE("Locations of Cray nodes are read", "[MachineFile]") {
  const Machine machine =
      parse_machine(R"(   NID    (HEX)    NODENAME     TYPE    STATUS        MODE
     1      0x1  c0-0c0s0n1  service        up       batch
   200     0xc8  c1-0c0s0n0  compute        up       batch
     4      0x4  c0-0c0s1n0  compute        up       batch
     5      0x5  c0-0c0s1n1  compute      down       batch
 12345   0x3039  c0-1c2s15n3 compute        up interactive
)",
                    "xtprocadmin");
  CHECK(along_network(machine) == Names{"nid00004", "nid00005", "nid00200", "nid12345"});
  CHECK(machine.find("c0-1c2s15n3") == machine.find("nid12345"));
  CHECK_FALSE(machine.find("nid00001").has_value());
  CHECK(machine.num_switch_levels() == 5);
  CHECK(machine.level_name(1) == "slot");
  CHECK(machine.level_name(3) == "cabinet");
  CHECK(machine.node(0).attachment == machine.node(1).attachment);

  const Machine alone = parse_machine("c0-0c0s1n1,c0-0c0s1n0 c10-0c0s0n0\nc2-0c0s0n0\n", "places");
  CHECK(along_network(alone) == Names{"c0-0c0s1n0", "c0-0c0s1n1", "c2-0c0s0n0", "c10-0c0s0n0"});
  CHECK(alone.num_switch_levels() == 4);
  const Machine pairs = parse_machine("nid00007 c0-0c0s1n1\nnid00006 c0-0c0s1n0\n", "hosts");
  CHECK(along_network(pairs) == Names{"nid00006", "nid00007"});
}

TEST_CASE("Errors in the library's format contain file, line and value", "[MachineFile]") {
  const std::string head = "dash-topology 1\n";
  const std::string tree = head + "switch s[0-1]\n";
  const std::string torus = head + "torus 2x2\n";
  check_rejected("dash-topology 2\n", "the.file:1: '2': expected 'dash-topology 1'");
  check_rejected(head + "nodes n1\n", "the.file:2: 'nodes': expected levels, ");
  check_rejected(head + "node n1\n", "the.file:2: 'node': expected a switch or a ");
  check_rejected(tree + "node n1\n", "the.file:3: 'n1': expected in=SWITCHES");
  check_rejected(tree + "node n1 in=t\n", "the.file:3: 't': expected a switch of");
  check_rejected(tree + "node n1 in=s[0-1]\n", "at most as many switches");
  check_rejected(tree + "node n1 in=\n", "the.file:3: 'in=': expected in=");
  check_rejected(tree + "node n1 in=s0 cores=many\n", "'many': expected a number of");
  check_rejected(tree + "node n1 in=s0 cores=-1\n", "'-1': expected a number of c");
  check_rejected(tree + "node n1 in=s0 numa=0\n", "at least one NUMA domain");
  check_rejected(tree + "node n1 in=s0 at=1\n", "'at=1': expected in=SWITCHES");
  check_rejected(tree + "node n1 in=s0\n\n# n1\nnode n[0-2] in=s1\n",
                 "the.file:6: 'n1': expected each node once");
  check_rejected(tree + "switch s1\n", "the.file:3: 's1': expected each switch");
  check_rejected(tree + "switch x in=s0 bandwidth=0\n", "'0': expected a bandwidth");
  check_rejected(tree + "switch x in=x\n", "'x': expected a switch of an earlier line");
  check_rejected(tree + "torus 2x2\n", "expected one torus, or switches");
  check_rejected(torus + "switch s\n", "expected no switches in a torus");
  check_rejected(torus + "node n at=2,0\n", "'2,0': expected coordinates below");
  check_rejected(torus + "node n at=0\n", "'0': expected 2 coordinates");
  check_rejected(torus + "node n[0-4]\n", "'n4': expected at most as many nodes");
  check_rejected(head + "torus 2x0\n", "extents above 0");
  check_rejected(head + "torus 2x\n", "'': expected an extent");
  check_rejected(head + "torus 4000x4000x4000\n", "at most 10 million");
  check_rejected(head + "torus 2x2 periodic=yes\n", "each of 2 dimensions");
  check_rejected(head + "torus 2x2 periodic=yes,maybe\n", "periodic=yes,no");
  check_rejected(head + "torus 2x2 periodic=yes,no periodic=no,yes\n",
                 "the.file:2: 'periodic=no,yes': expected periodic= once in a line");
  check_rejected(head + "torus 2x2 bandwidth=1,2 bandwidth=1,2\n", "bandwidth= once in a line");
  check_rejected(head + "bandwidth node=1 numa=2 node=3\n", "'node=3': expected node= once");
  check_rejected(tree + "switch x in=s0 in=s1\n", "'in=s1': expected in= once");
  check_rejected(tree + "node n1 in=s0 cores=2 cores=3\n", "'cores=3': expected cores= once");
  check_rejected(head + "bandwidth core=3\n", "'core=3': expected numa=NUMBER");
  check_rejected(head + "bandwidth node=nan\n", "'nan': expected a bandwidth");
  check_rejected(tree, "the.file describes a machine without nodes");
  check_rejected("# nothing\n", "the.file describes no machine");
  check_rejected("hello world\n",
                 "the.file:1: 'hello': expected 'dash-topology 1', a line of Slurm's");
}

TEST_CASE("Errors in a topology.conf contain file, line and value", "[MachineFile]") {
  const std::string leaf = "SwitchName=s0 Nodes=n[1-2]\n";
  check_rejected("SwitchName=s0 Nodes=n1 Nodes=n2\n", "'Nodes=n2': expected nodes= once in a line");
  check_rejected("SwitchName=s0 Nodes=n[1-\n", "the.file:1: 'n[1-': expected a list of hosts");
  check_rejected(leaf + "SwitchName=s1 Nodes=n2\n",
                 "the.file:2: 'n2': expected each node once; it belongs to s0");
  check_rejected(leaf + "SwitchName=t Switches=s[0-1]\n",
                 "the.file:2: 's1': expected a switch that has a line SwitchName=s1");
  check_rejected(leaf + "SwitchName=t Switches=s0\nSwitchName=u Switches=s0\n",
                 "the.file:3: 's0': expected each switch once; it belongs to t");
  check_rejected(leaf + "SwitchName=t Switches=u\nSwitchName=u Switches=t\n",
                 "the.file:3: 't': expected a switch that is not above this one");
  check_rejected(leaf + "SwitchName=t Switches=t\n", "not above this one");
  check_rejected(leaf + "SwitchName=s0 Nodes=n3\n", "'s0': expected each switch");
  check_rejected(leaf + "SwitchName=t\n", "'t': expected Nodes= or Switches=");
  check_rejected(leaf + "Nodes=n3\n", "expected SwitchName= or BlockName=");
  check_rejected(leaf + "SwitchName=t Nodes=ALL\n", "'ALL': expected the nodes by");
  check_rejected(leaf + "SwitchName=t Node=n3\n", "the.file:2: 'Node=n3': expected SwitchName=, ");
  check_rejected(leaf + "SwitchName=t Nodes=n3 LinkSpeed=fast\n", "'fast': expected");
}

TEST_CASE("Errors in locations of Cray nodes contain file, line and value", "[MachineFile]") {
  check_rejected("c0-0c0s0n0\nc0-0c0s0\n",
                 "the.file:2: 'c0-0c0s0': expected locations of nodes such as c0-0c0s0n0");
  check_rejected("c0-0c0s0n0\nc0-0c0s0n1,\n", "the.file:2: '': expected locations");
  check_rejected("c0-0c0s0n0\nc0-0c0s0n0\n", "the.file:2: 'c0-0c0s0n0': expected each node once");
  check_rejected("1 0x1 c0-0c0s0n0\n2 0x2 compute up\n",
                 "the.file:2: 'up': expected locations of nodes");
  check_rejected("1 0x1 c0-0c0s0n0\n2 0x2 c0-0c0s0n0\n",
                 "the.file:2: 'c0-0c0s0n0': expected each location once");
  check_rejected("c0-0c0s99999999999n0\nNODENAME\n", "the.file:1: 'c0-0c0s999");
}

TEST_CASE("The error for an unreadable file contains the reason", "[MachineFile]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(read_machine("there/is/none"),
                    ContainsSubstring("there/is/none cannot be read: No such file"));
  CHECK_THROWS_WITH(read_machine("."), ContainsSubstring(". cannot be read: Is a directory"));
  const std::string path = "machine_file_test.topology";
  std::ofstream(path) << "dash-topology 1\nswitch s\nnode n in=s\n";
  CHECK(read_machine(path).num_nodes() == 1);
  CHECK(read_machine(path, MachineFormat::dash).num_nodes() == 1);
  CHECK_THROWS_WITH(read_machine(path, MachineFormat::slurm), ContainsSubstring(path + ":1: "));
  std::remove(path.c_str());
}
