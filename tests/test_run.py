#!/usr/bin/env python3
"""Runs kernels on NumPy's arrays and compares with NumPy.

Usage: TILECHECK=PROGRAM tests/test_run.py. References are computed in float64
from the inputs as the kernel gets them. Bounds are those of one rounding of the
result, or what the published experiment with the same data gives.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    sys.exit("this test needs NumPy (Debian: python3-numpy)")

HERE = os.path.dirname(os.path.abspath(__file__))
CORPUS = os.path.join(os.path.dirname(HERE), "corpus")
VECTOR_ADD = os.path.join(CORPUS, "tutorial", "vector_add.py")
TOOL = os.path.abspath(os.environ.get("TILECHECK", "build/tilecheck"))


def tool(*arguments):
    return subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300,
                          encoding="utf-8", errors="replace")


def run(name, arrays, outputs, **options):
    """Outputs by name, and by tensor of each launch what was counted."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", os.path.join(CORPUS, "tutorial", name)
                 if "/" not in name else os.path.join(CORPUS, name)]
        for key, array in arrays.items():
            path = os.path.join(folder, key.split(":")[0] + ".npy")
            np.save(path, array)
            words += ["--in", f"{key}={path}"]
        for key in outputs:
            words += ["--out", f"{key}={os.path.join(folder, key)}.out.npy"]
        for key, value in options.items():
            words += ([f"--{key}", value] if key in ("function", "kernel")
                      else ["--set", f"{key}={value}"])
        done = tool(*words)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        found = {key: np.load(os.path.join(folder, key + ".out.npy"))
                 for key in outputs}
    counts = [
        (m[1], tuple(int(n) for n in m[2].split()))
        for m in re.finditer(r"^  (\w+) .*\] +([\d ]+)$", done.stdout, re.M)]
    return found, counts


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Matmul(unittest.TestCase):
    BOUND = 3.5e-4  # of the largest result: it is rounded to float16

    def check(self, a, b):
        found, counts = run("matmul.py", {"a": a, "b": b}, ["c"])
        want = a.astype(np.float64) @ b.astype(np.float64)
        error = abs(found["c"] - want).max() / abs(want).max()
        self.assertLessEqual(round(error, 5), self.BOUND)
        self.assertEqual(found["c"].dtype, np.float16)
        return found["c"], dict(counts)

    def test_three_layouts(self):
        random = np.random.default_rng(0)
        draw = lambda *shape: random.standard_normal(shape).astype(np.float16)
        self.check(draw(128, 128), draw(128, 128))
        a, b = draw(200, 100), draw(100, 300)
        plain, counts = self.check(a, b)
        turned, turned_counts = self.check(a, np.asfortranarray(b))
        both, _ = self.check(np.asfortranarray(a), np.asfortranarray(b))
        self.assertTrue((plain == turned).all() and (plain == both).all())
        self.assertEqual(counts, turned_counts)
        self.assertEqual(counts["a"][0] + counts["b"][0], 256000)
        self.assertEqual(counts["c"], (0, 0, 60000, 120000))

    def test_persistent_is_equal(self):
        random = np.random.default_rng(1)
        a = random.standard_normal((200, 100)).astype(np.float16)
        b = random.standard_normal((100, 300)).astype(np.float16)
        plain, _ = run("matmul.py", {"a": a, "b": b}, ["c"])
        for programs in (1, 4, 7):
            persistent, counts = run("matmul_persistent.py",
                                     {"a": a, "b": b}, ["c"],
                                     NUM_SMS=programs, BLOCK_M=64, BLOCK_N=64,
                                     BLOCK_K=32, GROUP_M=2)
            self.assertTrue((plain["c"] == persistent["c"]).all())
            self.assertEqual(dict(counts)["c"][2], 60000)

    def test_other_types(self):
        random = np.random.default_rng(2)
        a, b = random.random((33, 20)), random.random((20, 17))
        for kind in (np.float32, np.float64):
            self.check(a.astype(kind), b.astype(kind))


class Attention(unittest.TestCase):

    def one(self, random, n, causal):
        q, k, v = (random.standard_normal((1, 1, n, 64)).astype(np.float32)
                   for _ in range(3))
        found, counts = run("flash_attention.py", {"q": q, "k": k, "v": v},
                            ["o", "lse"], scale=0.125, CAUSAL=causal,
                            BLOCK_M=64)
        q, k, v = (x[0, 0].astype(np.float64) for x in (q, k, v))
        s = q @ k.T * 0.125
        if causal:
            s[~np.tril(np.ones((n, n), bool))] = -np.inf
        lse = np.log(np.exp(s).sum(axis=1))
        self.assertLess(abs(found["lse"][0, 0] - lse).max(), 1e-5)
        return abs(found["o"][0, 0] - softmax(s) @ v).max(), counts

    def test_error(self):
        random = np.random.default_rng(0)
        errors = [self.one(random, n, causal)[0]
                  for n in (256, 300) for causal in (False, True)]
        self.assertLessEqual(round(max(errors), 8), 6.1e-7)

    def test_bytes(self):
        _, counts = self.one(np.random.default_rng(0), 1024, False)
        self.assertEqual(sum(c[1] + c[3] for _, c in counts), 8916992)
        self.assertEqual(dict(counts)["k"][0], 16 * 1024 * 64)


class Rows(unittest.TestCase):

    def setUp(self):
        random = np.random.default_rng(0)
        self.x = random.standard_normal((37, 781)).astype(np.float32)

    def test_softmax(self):
        want = softmax(self.x.astype(np.float64))
        for name in ("softmax.py", "softmax_three_kernels.py"):
            found, counts = run(name, {"x": self.x}, ["out"])
            self.assertLess(abs(found["out"] - want).max(), 1e-7)
        fused = dict(run("softmax.py", {"x": self.x}, ["out"])[1])
        self.assertEqual(fused["x"], (self.x.size, 4 * self.x.size, 0, 0))
        reads = sum(c[0] for _, c in counts)
        self.assertEqual(reads, 3 * self.x.size + 37 + 7 * 37)

    def test_layer_norm(self):
        random = np.random.default_rng(1)
        w, b = random.random((2, 781), dtype=np.float32)
        found, _ = run("layer_norm.py",
                       {"x": self.x, "weight": w, "bias": b},
                       ["y", "mean", "rstd"], function="forward", eps=1e-5)
        x = self.x.astype(np.float64)
        mean = x.mean(axis=1, keepdims=True)
        rstd = 1 / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
        want = (x - mean) * rstd * w + b
        self.assertLess(abs(found["y"] - want).max(), 2e-6)
        self.assertLess(abs(found["mean"] - mean[:, 0]).max(), 1e-7)
        self.assertLess(abs(found["rstd"] - rstd[:, 0]).max(), 1e-6)

    def test_layer_norm_backward(self):
        """Two launches: the second adds up what the first wrote."""
        random = np.random.default_rng(2)
        x = random.standard_normal((5, 33))
        dy, w = random.standard_normal((5, 33)), random.random(33)
        mean = x.mean(axis=1)
        rstd = 1 / np.sqrt(x.var(axis=1))
        x_hat = (x - mean[:, None]) * rstd[:, None]
        g = w * dy
        dx = (g - x_hat * (x_hat * g).mean(axis=1, keepdims=True)
              - g.mean(axis=1, keepdims=True)) * rstd[:, None]
        f32 = lambda a: a.astype(np.float32)
        found, _ = run("layer_norm.py",
                       {"dy": f32(dy), "x": f32(x), "weight": f32(w),
                        "mean": f32(mean), "rstd": f32(rstd)},
                       ["dx", "dweight", "dbias"],
                       function="layer_norm_backward")
        self.assertLess(abs(found["dx"] - dx).max(), 1e-5)
        self.assertLess(abs(found["dweight"] - (dy * x_hat).sum(axis=0)).max(),
                        1e-5)
        self.assertLess(abs(found["dbias"] - dy.sum(axis=0)).max(), 1e-5)


class Memory(unittest.TestCase):
    """Tensors that are read and written, indices, strides, several launches."""

    def setUp(self):
        self.random = np.random.default_rng(0)

    def test_atomics_on_zeros(self):
        x = self.random.integers(0, 17, 3000).astype(np.int32)
        found, counts = run("histogram.py", {"x": x}, ["bins"], n_bins=17)
        self.assertTrue((found["bins"] == np.bincount(x, minlength=17)).all())
        self.assertEqual(dict(counts)["bins"], (3000, 12000, 3000, 12000))

    def test_split_k(self):
        a, b = self.random.random((70, 300)), self.random.random((300, 65))
        found, _ = run("matmul_split_k.py", {"a": a.astype(np.float32),
                                             "b": b.astype(np.float32)}, ["c"])
        self.assertLess(abs(found["c"] / (a @ b) - 1).max(), 1e-6)

    def test_gather(self):
        table = self.random.standard_normal((9, 200)).astype(np.float16)
        index = self.random.integers(0, 9, 31).astype(np.int32)
        for order in (np.ascontiguousarray, np.asfortranarray):
            found, _ = run("gather_rows.py",
                           {"table": order(table), "index": index}, ["out"])
            self.assertTrue((found["out"] == table[index]).all())

    def test_in_place(self):
        x = self.random.standard_normal((40, 70)).astype(np.float32)
        for order in (np.ascontiguousarray, np.asfortranarray):
            found, _ = run("scale_in_place.py", {"x": order(x)}, ["x"],
                           factor=-2.5)
            self.assertTrue((found["x"] == x * np.float32(-2.5)).all())

    def test_two_layouts(self):
        src = self.random.integers(0, 2, (33, 65)).astype(bool)
        dst = np.asfortranarray(np.zeros_like(src))
        found, _ = run("copy_2d.py", {"src": src, "dst": dst}, ["dst"])
        self.assertEqual(found["dst"].dtype, np.bool_)
        self.assertTrue((found["dst"] == src).all())

    def test_empty(self):
        x = np.zeros((0, 5), np.float32)
        found, counts = run("softmax.py", {"x": x}, ["out"])
        self.assertEqual(found["out"].shape, (0, 5))
        self.assertEqual(dict(counts)["x"], (0, 0, 0, 0))

    def test_without_launch(self):
        x = np.arange(10, dtype=np.float32)
        found, _ = run("patterns/never_launched.py",
                       {"x_ptr": x, "y_ptr": x}, ["out_ptr"],
                       kernel="add_kernel", BLOCK=4)
        self.assertTrue((found["out_ptr"] == x + x).all())
        found, _ = run("patterns/never_launched.py",
                       {"x_ptr": x, "out_ptr": x}, ["out_ptr"],
                       kernel="negate_kernel", n=7, BLOCK=4, G0=2)
        self.assertTrue((found["out_ptr"] == [0, -1, -2, -3, -4, -5, -6, 7, 8,
                                              9]).all())

    def test_random_numbers(self):
        """Those of Philox 4x32-10, by a published test vector."""
        x = np.ones(1, np.float32)
        keep = 0x6627e8d5 * 4.6566127342e-10  # of key 0 and counter 0
        for p, want in ((keep - 1e-6, 1), (keep + 1e-6, 0)):
            found, _ = run("dropout.py", {"x": x}, ["out"], seed=0, p=p)
            self.assertEqual(found["out"][0] > 0, want)

    def test_switch_and_optional_tensor(self):
        x, w, b = (self.random.random(s, dtype=np.float32)
                   for s in ((3, 20), 20, 20))
        name = "patterns/constexpr_switch.py"
        found, _ = run(name, {"x": x, "weight": w}, ["out"])
        self.assertTrue((found["out"] == x * w).all())
        found, _ = run(name, {"x": x, "weight": w, "bias": b}, ["out"])
        self.assertTrue((found["out"] == x * w + b).all())

    def test_launches_share_memory(self):
        x = self.random.random(10, dtype=np.float32)
        faults = "../tests/golden/files/run_faults.py"
        found, counts = run(faults, {"x": x}, ["x"], function="twice")
        self.assertTrue((found["x"] == x + 1 + 1).all())
        self.assertEqual([c for _, c in counts], [(10, 40, 10, 40)] * 2)


class Files(unittest.TestCase):

    def add(self, x, y, prefix=""):
        found, counts = run("vector_add.py",
                            {"x" + prefix: x, "y" + prefix: y}, ["out"])
        return found["out"], dict(counts)

    def test_vector_add(self):
        random = np.random.default_rng(0)
        x, y = random.random((2, 98432), dtype=np.float32)
        out, counts = self.add(x, y)
        self.assertTrue((out == x + y).all())
        self.assertEqual(counts["x"][0] + counts["y"][0], 196864)
        self.assertEqual(counts["out"][2:], (98432, 393728))

    def test_types(self):
        for kind in ("<f2", "<f4", "<f8", ">f4", "<i1", "<i2", "<i4", "<i8",
                     ">i8", "|u1", "<u2", "<u4", "<u8"):
            x, y = np.arange(9).astype(kind), np.full(9, 3).astype(kind)
            out, _ = self.add(x, y)
            self.assertEqual(out.dtype, np.dtype(kind).newbyteorder("<"), kind)
            self.assertTrue((out == x + y).all(), kind)

    def test_wrapping(self):
        x = np.array([255, 1], np.uint8)
        self.assertTrue((self.add(x, x)[0] == x + x).all())
        x = np.array([np.iinfo(np.int64).min, 5])
        self.assertTrue((self.add(x, x)[0] == x + x).all())

    def test_bfloat16(self):
        """As bits in uint16; 1 + 2**-8 rounds to 1, ties to even."""
        bits = lambda a: (np.array(a, np.float32).view(np.uint32) >> 16
                          ).astype(np.uint16)
        out, _ = self.add(bits([1.0, 1.5, -2.0]), bits([2**-8, 0.25, 0.5]),
                          ":bf16")
        self.assertEqual(out.dtype, np.uint16)
        self.assertTrue((out == bits([1.0, 1.75, -1.5])).all())

    def test_versions(self):
        x = np.arange(5, dtype=np.float32)
        for version in ((1, 0), (2, 0), (3, 0)):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "x.npy")
                with open(path, "wb") as file:
                    np.lib.format.write_array(file, x, version=version)
                done = tool("run", VECTOR_ADD,
                            "--in", f"x={path}", "--in", f"y={path}",
                            "--out", f"out={path}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue((np.load(path) == x + x).all())

    def test_seeds(self):
        words = ["run", VECTOR_ADD, "--set",
                 "n_elements=100", "--set", "y.numel()=100"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.npy")
            drawn = []
            for seed in (7, 7, 8):
                tool(*words, "--seed", str(seed), "--out", f"x={path}")
                drawn.append(np.load(path))
        self.assertTrue((drawn[0] == drawn[1]).all())
        self.assertFalse((drawn[0] == drawn[2]).all())
        self.assertTrue((abs(drawn[0]) <= 1).all() and drawn[0].std() > 0.3)

    def test_wrong_use(self):
        five, six = np.zeros(5, np.float32), np.zeros((2, 3), np.float32)
        with tempfile.TemporaryDirectory() as folder:
            for name, array in (("five", five), ("six", six),
                                ("int", np.zeros(8, np.int32))):
                np.save(os.path.join(folder, name + ".npy"), array)
            file = lambda name: os.path.join(folder, name + ".npy")
            add = VECTOR_ADD
            faults = os.path.join(HERE, "golden", "files", "run_faults.py")
            for words, message in (
                    ([add, "--in", "x=" + file("six")],
                     "the array has 2 axes, `x` has 1: [n_elements]"),
                    ([add, "--in", "x=" + file("five")], "no array for `y`"),
                    ([faults, "--function", "lanes", "--in",
                      "x=" + file("five")],
                     "axis 0 of the array has 5 elements, that of `x` has 8"),
                    ([faults, "--function", "lanes", "--in",
                      "x=" + file("int")],
                     "the elements are i32, those of `x` are f32"),
                    ([add, "--in", "x:f16=" + file("five")],
                     "its elements have 4 bytes, those of f16 have 2"),
                    ([os.path.join(CORPUS, "tutorial", "softmax.py"), "--in",
                      "x=" + file("five")], "the array has 1 axis, `x` has 2")):
                done = tool("run", *words)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
