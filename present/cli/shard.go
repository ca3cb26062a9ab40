package cli

// This file divides the entries of a project between jobs: --shard.

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"shapecheck/present/report"
)

// shardVariables name the variables in which CI systems give a part and the
// number of parts, and the number of the first part. Where systems share names, a
// variable that only one sets tells them apart.
var shardVariables = []struct {
	index, total string
	first        int
	when         string
}{
	{"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, ""},                    // Bazel
	{"CI_NODE_INDEX", "CI_NODE_TOTAL", 0, "CIRRUS_CI"},                  // Cirrus
	{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1, ""},                           // GitLab
	{"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0, ""},                   // CircleCI
	{"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0, ""},   // Buildkite
	{"BITBUCKET_PARALLEL_STEP", "BITBUCKET_PARALLEL_STEP_COUNT", 0, ""}, // Bitbucket
	{"SEMAPHORE_JOB_INDEX", "SEMAPHORE_JOB_COUNT", 1, ""},               // Semaphore
	{"SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", 1, ""},     // Azure Pipelines
}

// bazelStatus names the file that a test touches to say that it divides its work
// (Bazel's test encyclopedia, "Test sharding").
const bazelStatus = "TEST_SHARD_STATUS_FILE"

// sharded gives the numbers of the entries of one part: "2/5" is the second of
// five, "auto" asks the CI system, "" is all. It says which part that is; nil
// when none was asked for.
func sharded(shard string, n int) ([]int, *report.Shard, error) {
	part, parts := 1, 1
	switch shard {
	case "":
	case "auto":
		var err error
		if part, parts, err = ciShard(); err != nil {
			return nil, nil, err
		}
	default:
		i, k, _ := strings.Cut(shard, "/")
		var err1, err2 error
		part, err1 = strconv.Atoi(i)
		parts, err2 = strconv.Atoi(k)
		if err := errors.Join(err1, err2); err != nil {
			return nil, nil, fmt.Errorf("--shard %s: expected PART/PARTS, as in 1/4, or auto", shard)
		}
	}
	if part < 1 || part > parts {
		return nil, nil, fmt.Errorf("--shard %s: part %d of %d", shard, part, parts)
	}
	out := []int{}
	for i := part - 1; i < n; i += parts {
		out = append(out, i)
	}
	if shard == "" {
		return slices.Clip(out), nil, nil
	}
	return slices.Clip(out), &report.Shard{Part: part, Parts: parts}, nil
}

// ciShard asks the CI system; outside of one there is one part.
func ciShard() (part, parts int, err error) {
	if file := os.Getenv(bazelStatus); file != "" {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o666)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", bazelStatus, err)
		}
	}
	for _, v := range shardVariables {
		index, total := os.Getenv(v.index), os.Getenv(v.total)
		if index == "" || total == "" || v.when != "" && os.Getenv(v.when) == "" {
			continue
		}
		i, err1 := strconv.Atoi(index)
		k, err2 := strconv.Atoi(total)
		if err := errors.Join(err1, err2); err != nil {
			return 0, 0, fmt.Errorf("--shard auto: %s=%s, %s=%s: expected numbers", v.index, index, v.total, total)
		}
		return i - v.first + 1, k, nil
	}
	return 1, 1, nil
}
