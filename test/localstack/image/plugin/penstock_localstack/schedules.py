"""Fires EventBridge Scheduler schedules, which LocalStack's open-source provider only stores.

Once a second every enabled schedule is looked at: rate(), cron() and at(), in the schedule's time zone,
between its start and end date. cron()'s `W`, `#` and a weekday's `L` are not understood; the log says so. Flexible windows are ignored (a schedule fires at the start of its
window), and a call that fails goes to the dead-letter queue at once, without retries.

Switch it off with PENSTOCK_SCHEDULER=0.
"""

import json
import logging
import os
import re
import threading
import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

from localstack.runtime import hooks

LOG = logging.getLogger(__name__)
UNITS = {"minute": 60, "hour": 3600, "day": 86400}

stop = threading.Event()


def next_time(schedule, after: float) -> float | None:
    """The first time the schedule is due after `after` (both in epoch seconds), or None."""
    expression = schedule.schedule_expression.strip()
    kind, argument = re.fullmatch(r"(\w+)\s*\((.*)\)", expression).groups()
    zone = ZoneInfo(schedule.schedule_expression_timezone or "UTC")
    start = float(schedule.start_date or schedule.creation_date)
    end = float(schedule.end_date) if schedule.end_date else None
    after = max(after, start - 1e-3)  # due at the start itself, too
    if kind == "at":
        due = datetime.fromisoformat(argument.strip()).replace(tzinfo=zone).timestamp()
        due = due if due > after else None
    elif kind == "rate":
        count, unit = argument.split()
        period = int(count) * UNITS[unit.rstrip("s")]
        # As on AWS, the first run is at creation, or at the start date when there is one.
        due = start if start > after else start + (int((after - start) // period) + 1) * period
    else:
        due = next_cron(argument, zone, after)
    return None if due is None or (end is not None and due > end) else due


def next_cron(argument: str, zone: ZoneInfo, after: float) -> float | None:
    """By the zone's wall clock: a minute skipped in spring is not due, one that comes twice is due once."""
    from crontab import CronTab

    # five fields plus the year; a trailing field is read as the year, '?' means '*'
    table = CronTab(" ".join(shift_weekdays(argument.replace("?", "*").split())))
    wall = datetime.fromtimestamp(after, zone).replace(tzinfo=None, microsecond=0)
    while (wait := table.next(now=wall, default_utc=False)) is not None:
        wall += timedelta(seconds=wait)
        due = wall.replace(tzinfo=zone).timestamp()
        exists = datetime.fromtimestamp(due, zone).replace(tzinfo=None) == wall
        if exists and due > after:
            return due
    return None


def shift_weekdays(fields: list[str]) -> list[str]:
    """AWS numbers weekdays from 1 (Sunday), crontab from 0."""
    head, day, tail = fields[:4], fields[4], fields[5:]
    day = re.sub(r"(?<![#/\d])\d", lambda m: str((int(m[0]) - 1) % 7), day)
    return [*head, day, *tail]


def target_input(schedule, account: str, region: str, due: float) -> str:
    when = datetime.fromtimestamp(due, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    run = str(uuid4())
    if text := schedule.target.get("Input"):
        for name, value in {
            "schedule-arn": schedule.arn,
            "scheduled-time": when,
            "execution-id": run,
            "attempt-number": "1",
        }.items():
            text = text.replace(f"<aws.scheduler.{name}>", value)
        return text
    return json.dumps(
        {
            "version": "0",
            "id": run,
            "detail-type": "Scheduled Event",
            "source": "aws.scheduler",
            "account": account,
            "time": when,
            "region": region,
            "resources": [schedule.arn],
            "detail": "{}",
        }
    )


def call_target(schedule, account: str, region: str, text: str):
    from localstack.aws.connect import connect_to

    clients = connect_to(aws_access_key_id=account, region_name=region)
    target = schedule.target
    arn = target["Arn"]
    service, resource = arn.split(":")[2], arn.split(":", 5)[5]
    match service:
        case "lambda":
            clients.lambda_.invoke(FunctionName=arn, InvocationType="Event", Payload=text)
        case "sqs":
            url = clients.sqs.get_queue_url(QueueName=resource)["QueueUrl"]
            group = target.get("SqsParameters", {}).get("MessageGroupId")
            extra = {"MessageGroupId": group} if group else {}
            clients.sqs.send_message(QueueUrl=url, MessageBody=text, **extra)
        case "sns":
            clients.sns.publish(TopicArn=arn, Message=text)
        case "kinesis":
            clients.kinesis.put_record(
                StreamARN=arn,
                Data=text.encode(),
                PartitionKey=target["KinesisParameters"]["PartitionKey"],
            )
        case "scheduler":  # universal target, arn:aws:scheduler:::aws-sdk:service:action
            _, api, action = arn.rsplit(":", 2)
            method = re.sub(r"(?<!^)(?=[A-Z])", "_", action).lower()
            getattr(clients.get_client(api), method)(**json.loads(text))
        case _:
            raise NotImplementedError(f"schedule target {arn}")


def fire(schedule, account: str, region: str, due: float):
    text = target_input(schedule, account, region, due)
    try:
        call_target(schedule, account, region, text)
        LOG.info("Schedule %s fired", schedule.name)
    except Exception as e:
        LOG.warning("Schedule %s failed: %s", schedule.name, e)
        if queue := schedule.target.get("DeadLetterConfig", {}).get("Arn"):
            from localstack.aws.connect import connect_to

            sqs = connect_to(aws_access_key_id=account, region_name=region).sqs
            url = sqs.get_queue_url(QueueName=queue.split(":")[5])["QueueUrl"]
            sqs.send_message(QueueUrl=url, MessageBody=text)


def all_schedules():
    from moto.scheduler.models import scheduler_backends

    for account, regions in list(scheduler_backends.items()):
        for region, backend in list(regions.items()):
            for group in list(backend.schedule_groups.values()):
                for schedule in list(group.schedules.values()):
                    yield account, region, group, schedule


def run():
    last = time.time()
    refused = set()  # said once each
    while not stop.wait(1):
        now = time.time()
        for account, region, group, schedule in all_schedules():
            if schedule.state != "ENABLED":
                continue
            try:
                due = next_time(schedule, last)
            except Exception as e:
                if (schedule.arn, schedule.schedule_expression) not in refused:
                    LOG.warning("Schedule %s is not understood: %s", schedule.name, e)
                refused.add((schedule.arn, schedule.schedule_expression))
                continue
            if due is None or due > now:
                continue
            threading.Thread(target=fire, args=(schedule, account, region, due), daemon=True).start()
            if schedule.action_after_completion == "DELETE" and next_time(schedule, now) is None:
                group.schedules.pop(schedule.name, None)
        last = now


@hooks.on_infra_ready()
def start_schedules():
    if os.environ.get("PENSTOCK_SCHEDULER", "1") != "0":
        threading.Thread(target=run, name="penstock-schedules", daemon=True).start()


@hooks.on_infra_shutdown()
def stop_schedules():
    stop.set()
