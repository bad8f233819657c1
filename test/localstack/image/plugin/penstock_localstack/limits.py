"""Rejects what AWS finds too much in one request, for Kinesis and DynamoDB: lists longer than the
service model allows, and a PutRecords of more than 10 MiB.

Neither backend checks: PutRecords with 501 records or BatchWriteItem with 26 items would succeed.
"""

from localstack.aws.api import CommonServiceException
from localstack.runtime import hooks

SERVICES = {"kinesis", "dynamodb"}
# Data and partition keys of all records. Source: Kinesis API reference, PutRecords.
PUT_RECORDS_BYTES_MAX = 10 * 1024 * 1024


def too_long(value, shape, path=""):
    """Path and limit of the first list or map above its declared maximum, else None."""
    if value is None:
        return None
    if shape.type_name == "structure":
        children = [(value.get(n), s, n) for n, s in shape.members.items()]
    elif shape.type_name == "list":
        children = [(v, shape.member, f"{i + 1}.member") for i, v in enumerate(value)]
    elif shape.type_name == "map":
        children = [(v, shape.value, f"{k}.member") for k, v in value.items()]
    else:
        return None
    limit = shape.metadata.get("max")
    if shape.type_name != "structure" and limit is not None and len(value) > limit:
        return path, limit
    # Attribute values nest without declared limits; no need to walk them.
    if shape.name == "AttributeValue":
        return None
    found = (too_long(v, s, f"{path}.{n}" if path else n) for v, s, n in children)
    return next((hit for hit in found if hit), None)


def put_records_bytes(request) -> int:
    records = request.get("Records") or []
    return sum(
        len(record.get("Data") or b"") + len((record.get("PartitionKey") or "").encode())
        for record in records
    )


def check_limits(chain, context, response):
    if not context.operation or context.service.service_name not in SERVICES:
        return
    hit = too_long(context.service_request or {}, context.operation.input_shape)
    if hit:
        path, limit = hit
        raise CommonServiceException(
            "ValidationException",
            f"1 validation error detected: Value at '{path}' failed to satisfy constraint: "
            f"Member must have length less than or equal to {limit}",
            sender_fault=True,
        )
    if context.operation.name == "PutRecords":
        size = put_records_bytes(context.service_request or {})
        if size > PUT_RECORDS_BYTES_MAX:
            raise CommonServiceException(
                "InvalidArgumentException",
                f"Records size of {size} bytes exceeds {PUT_RECORDS_BYTES_MAX} bytes.",
                sender_fault=True,
            )


@hooks.on_infra_start()
def enforce_request_limits():
    from localstack.aws.handlers import serve_custom_service_request_handlers

    serve_custom_service_request_handlers.append(check_limits)
