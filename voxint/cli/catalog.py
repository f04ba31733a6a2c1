"""What every command takes. @generated from the functions' signatures by tools/render_catalog.py."""

from voxint.cli.spec import Parameter, Spec

SPECS: dict[tuple[str, ...], Spec] = {
    ('score', 'name-accuracy'): Spec(
        words=('score', 'name-accuracy'),
        function='voxint.harness.name_accuracy:score',
        summary='Scores display names against truth, and this run against a baseline.',
        details="The report counts a slot once, weighs it by its seconds of speech (1.0 without a duration), and holds a 95 % Wilson interval of the accuracy. With a baseline of the same slots it adds McNemar's exact test and a bootstrap interval that resamples whole recordings. No items give counts of 0, rates of 0.0 and the interval [0, 1].",
        returns='name_accuracy/v1/report',
        is_stream=False,
        more_results=(),
        example='voxint score name-accuracy items.jsonl --baseline last-week.jsonl --aliases people.json --out report.json',
        parameters=(
            Parameter(name='items', kind='stream', help='Recordings to score, one a line; item_id is unique.', positional=True, required=True, default=None, contract='name_accuracy/v1/items', low=None, high=None, low_open=False, choices=()),
            Parameter(name='baseline', kind='stream', help='An earlier run over the same recordings, slots and truth.', positional=False, required=False, default=None, contract='name_accuracy/v1/items', low=None, high=None, low_open=False, choices=()),
            Parameter(name='aliases', kind='document', help='Other names of the same people.', positional=False, required=False, default=None, contract='name_accuracy/v1/aliases', low=None, high=None, low_open=False, choices=()),
            Parameter(name='target_accuracy', kind='number', help='Accuracy that the risk-coverage curve should reach.', positional=False, required=False, default='0.95', contract='', low=0, high=1, low_open=True, choices=()),
            Parameter(name='n_boot', kind='whole', help='Bootstrap replicates.', positional=False, required=False, default='1000', contract='', low=1, high=100000, low_open=False, choices=()),
            Parameter(name='seed', kind='whole', help='Seed of the bootstrap.', positional=False, required=False, default='0', contract='', low=0, high=4294967295, low_open=False, choices=()),
        ),
    ),
    ('contract', 'list'): Spec(
        words=('contract', 'list'),
        function='voxint.cli.contracts:list_contracts',
        summary='Lists every contract document.',
        details='',
        returns='common/v1/contract_list',
        is_stream=False,
        more_results=(),
        example='voxint contract list',
        parameters=(),
    ),
    ('contract', 'show'): Spec(
        words=('contract', 'show'),
        function='voxint.cli.contracts:show',
        summary='Prints the JSON Schema of one document.',
        details='',
        returns='text',
        is_stream=False,
        more_results=(),
        example='voxint contract show name_accuracy/v1/items',
        parameters=(
            Parameter(name='name', kind='text', help='Family, version and document, as `voxint contract list` names them.', positional=True, required=True, default=None, contract='', low=None, high=None, low_open=False, choices=()),
        ),
    ),
    ('contract', 'check'): Spec(
        words=('contract', 'check'),
        function='voxint.cli.contracts:check',
        summary='Says whether a file fits its contract; every fault is named by line and column.',
        details="Without --contract-name the contract is found from the document's own kind, or by trying all of them.",
        returns='common/v1/check_report',
        is_stream=False,
        more_results=(),
        example='voxint contract check items.jsonl --contract-name name_accuracy/v1/items',
        parameters=(
            Parameter(name='file', kind='text', help='JSON or JSON lines, plain, .gz or .zst; - is stdin.', positional=True, required=True, default=None, contract='', low=None, high=None, low_open=False, choices=()),
            Parameter(name='contract_name', kind='text', help='The contract to hold it against.', positional=False, required=False, default=None, contract='', low=None, high=None, low_open=False, choices=()),
        ),
    ),
}
