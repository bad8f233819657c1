"""Works with a Kinesis as a Python program does, and prints what it saw as one JSON object."""

import datetime
import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

STREAM = "orders"
FIRST = "shardId-000000000000"


def connect(endpoint):
    return boto3.client(
        "kinesis",
        endpoint_url=endpoint,
        region_name="eu-west-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=Config(retries={"max_attempts": 4, "mode": "standard"}),
    )


def create(client):
    client.create_stream(StreamName=STREAM, ShardCount=1)
    client.get_waiter("stream_exists").wait(StreamName=STREAM, WaiterConfig={"Delay": 1})


def put_all(client, words):
    """Sends again what failed, as the documentation tells producers to."""
    waiting = [{"PartitionKey": word, "Data": word.encode()} for word in words]
    failures = []
    while waiting:
        answer = client.put_records(StreamName=STREAM, Records=waiting)
        results = list(zip(waiting, answer["Records"], strict=True))
        failures += [result["ErrorCode"] for _, result in results if "ErrorCode" in result]
        waiting = [entry for entry, result in results if "ErrorCode" in result]
    return failures


def read(client, shard, limit=10_000, **start):
    """Reads one shard to its tip or end; answers the words, and the children at its end."""
    iterator = client.get_shard_iterator(StreamName=STREAM, ShardId=shard, **start)["ShardIterator"]
    words = []
    while iterator:
        answer = client.get_records(ShardIterator=iterator, Limit=limit)
        words += [record["Data"].decode() for record in answer["Records"]]
        iterator = answer.get("NextShardIterator")
        if answer["MillisBehindLatest"] == 0 and iterator and not answer["Records"]:
            return words, None
    return words, [child["ShardId"] for child in answer["ChildShards"]]


def iterator_types(client):
    second = client.get_records(
        ShardIterator=client.get_shard_iterator(
            StreamName=STREAM, ShardId=FIRST, ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
    )["Records"][1]
    number = second["SequenceNumber"]
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
    starts = {
        "TRIM_HORIZON": {},
        "LATEST": {},
        "AT_SEQUENCE_NUMBER": {"StartingSequenceNumber": number},
        "AFTER_SEQUENCE_NUMBER": {"StartingSequenceNumber": number},
        "AT_TIMESTAMP": {"Timestamp": long_ago},
    }
    return {
        kind: read(client, FIRST, ShardIteratorType=kind, **start)[0] for kind, start in starts.items()
    }


def read_over_split(client):
    client.split_shard(StreamName=STREAM, ShardToSplit=FIRST, NewStartingHashKey=str(2**127))
    client.get_waiter("stream_exists").wait(StreamName=STREAM, WaiterConfig={"Delay": 1})
    put_all(client, [f"late-{n}" for n in range(20)])
    words, children = read(client, FIRST, limit=2, ShardIteratorType="TRIM_HORIZON")
    late = [read(client, child, ShardIteratorType="TRIM_HORIZON")[0] for child in children]
    return {"parent": words, "children": children, "late": late}


def errors(client):
    calls = {
        "no stream": lambda: client.describe_stream(StreamName="nothing"),
        "taken name": lambda: client.create_stream(StreamName=STREAM, ShardCount=1),
        "hash key": lambda: client.put_record(
            StreamName=STREAM, PartitionKey="a", Data=b"", ExplicitHashKey=str(2**128)
        ),
        "no iterator": lambda: client.get_records(ShardIterator="x"),
        "long key": lambda: client.put_record(StreamName=STREAM, PartitionKey="k" * 257, Data=b""),
        "over double": lambda: client.update_shard_count(
            StreamName=STREAM, TargetShardCount=9, ScalingType="UNIFORM_SCALING"
        ),
    }
    found = {}
    for name, call in calls.items():
        try:
            call()
        except ClientError as error:
            found[name] = error.response["Error"]["Code"]
    return found


def list_pages(client):
    first = client.list_shards(StreamName=STREAM, MaxResults=2)
    second = client.list_shards(NextToken=first["NextToken"])
    return [[shard["ShardId"] for shard in page["Shards"]] for page in (first, second)]


def main():
    client = connect(sys.argv[1])
    create(client)
    print(
        json.dumps(
            {
                "failures": put_all(client, ["one", "two", "three"]),
                "types": iterator_types(client),
                "split": read_over_split(client),
                "pages": list_pages(client),
                "errors": errors(client),
            }
        )
    )


main()
